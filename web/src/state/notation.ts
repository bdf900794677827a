/** Entries of the move list, and texts for results. */

import { nameOf, type Side } from './squares.ts';
import type { MoveLogEntry, OutcomeDto } from './wire.ts';

const letter = (piece: string): string => (piece.toUpperCase() === 'P' ? '' : piece.toUpperCase());

/**
 * The text of a ply: own moves in SAN, of the opponent's what was seen. `?` is
 * a hidden move, `?xd5` a capture by a hidden piece, `Pxd5` one by a pawn from
 * a hidden square, `Ng8–?` a piece that went out of sight.
 */
export function line(entry: MoveLogEntry): string {
  if (entry.san) return entry.san;
  const [from, to] = [entry.from[0], entry.to[0]];
  // Two arrivals in one ply are a king and its rook.
  if (entry.to.length === 2) return entry.to.some((key) => key.startsWith('g')) ? 'O-O' : 'O-O-O';
  const piece = entry.piece ? letter(entry.piece) : '';
  if (entry.lost) {
    const target = to ?? entry.lost.square;
    if (!entry.piece) return `?x${target}`;
    return `${piece || (from ? from[0] : 'P')}x${target}`;
  }
  if (to) return piece + to;
  return from ? `${piece}${from}–?` : '?';
}

/** A ply in words, for screen readers and tooltips. */
export function spoken(entry: MoveLogEntry, me: Side | null): string {
  const who = entry.by === me ? 'You' : entry.by === 'white' ? 'White' : 'Black';
  const parts: string[] = [];
  const piece = entry.piece ? nameOf(entry.piece) : '';
  if (entry.move) parts.push(`${who} moved ${piece} ${entry.move.slice(0, 2)} to ${entry.move.slice(2, 4)}`);
  else if (entry.to[0] && entry.from[0]) parts.push(`${who} moved ${piece} ${entry.from[0]} to ${entry.to[0]}`);
  else if (entry.to[0]) parts.push(`a ${piece || 'piece'} came into sight on ${entry.to[0]}`);
  else if (entry.from[0]) parts.push(`the ${piece || 'piece'} on ${entry.from[0]} went out of sight`);
  else if (!entry.lost) parts.push(`${who} moved in the fog`);
  if (entry.took && entry.by === me) parts.push(`capturing a ${nameOf(entry.took.piece)} on ${entry.took.square}`);
  if (entry.lost) parts.push(`your ${nameOf(entry.lost.piece)} on ${entry.lost.square} was captured`);
  return parts.join(', ');
}

/** "You lost a knight on e4 to a pawn." */
export function loss(entry: MoveLogEntry): string {
  if (!entry.lost) return '';
  const taker = entry.piece ? ` to a ${nameOf(entry.piece)}` : '';
  return `You lost a ${nameOf(entry.lost.piece)} on ${entry.lost.square}${taker}.`;
}

const REASONS: Record<string, string> = {
  king_captured: 'the king was captured',
  checkmate: 'checkmate',
  stalemate: 'stalemate',
  no_moves: 'no legal moves',
  repetition: 'threefold repetition',
  fifty_moves: '50-move rule',
  bare_kings: 'only kings left',
  insufficient_material: 'insufficient material',
  timeout: 'time out',
  resign: 'resignation',
  agreement: 'a draw was agreed',
  illegal_move: 'an illegal move',
  disconnect: 'the connection was lost',
  stall: 'the bot stopped answering',
  move_limit: 'the move limit was reached',
};

export const reason = (code: string | null): string => (code ? (REASONS[code] ?? code) : '');

/** "You won", "Black won", "Draw". */
export function headline(end: OutcomeDto, me: Side | null): string {
  if (end.winner === null) return 'Draw';
  if (me === null) return `${end.winner === 'white' ? 'White' : 'Black'} won`;
  return end.winner === me ? 'You won' : 'You lost';
}

/** "You won: the king was captured." */
export const verdict = (end: OutcomeDto, me: Side | null): string => `${headline(end, me)}: ${reason(end.reason)}.`;
