/** Entries of the move list, and texts for results. */

import { nameOf, type Side } from './squares.ts';
import { san } from './moves.ts';
import { readView } from './view.ts';
import type { MoveLogEntry, OutcomeDto } from './wire.ts';

/** The text of a ply: own moves in full, the visible part of the opponent's. `?` is a hidden move. */
export function line(entry: MoveLogEntry, before: string | undefined): string {
  if (entry.san) return entry.san;
  if (entry.move) return before ? san(readView(before), [entry.move], entry.move) : short(entry, entry.move);
  const lost = entry.lost ? `×${entry.lost.square}` : '';
  const piece = entry.piece ? letter(entry.piece) : '';
  const to = entry.to[0];
  const from = entry.from[0];
  if (to && to === entry.lost?.square) return `${piece}${from ?? '?'}${lost}`;
  if (to) return `${piece}${from ? from + '–' : '?'}${to}${lost}`;
  if (from) return `${piece}${from}–?${lost}`;
  return lost ? `?${lost}` : '?';
}

/** Notation without the board before the move: the piece, the captured piece, and the destination. */
function short(entry: MoveLogEntry, move: string): string {
  const piece = entry.piece ? letter(entry.piece) : '';
  const rise = move[4] ? '=' + move[4].toUpperCase() : '';
  const takes = entry.took ? (piece || move[0]) + 'x' : piece;
  return takes + move.slice(2, 4) + rise;
}

const letter = (piece: string): string => (piece.toUpperCase() === 'P' ? '' : piece.toUpperCase());

/** A ply in words, for screen readers and the status line. */
export function spoken(entry: MoveLogEntry, me: Side | null): string {
  const who = entry.by === me ? 'You' : entry.by === 'white' ? 'White' : 'Black';
  const parts: string[] = [];
  const piece = entry.piece ? nameOf(entry.piece) : '';
  if (entry.move) parts.push(`${who} moved ${piece} ${entry.move.slice(0, 2)} to ${entry.move.slice(2, 4)}`);
  else if (entry.to[0] && entry.from[0]) parts.push(`${who} moved ${piece} ${entry.from[0]} to ${entry.to[0]}`);
  else if (entry.to[0]) parts.push(`a ${piece || 'piece'} came into sight on ${entry.to[0]}`);
  else if (entry.from[0]) parts.push(`the ${piece || 'piece'} on ${entry.from[0]} went out of sight`);
  else if (!entry.lost) parts.push(`${who} moved in the fog`);
  if (entry.took && entry.by === me) parts.push(`taking a ${nameOf(entry.took.piece)} on ${entry.took.square}`);
  if (entry.lost) parts.push(`your ${nameOf(entry.lost.piece)} on ${entry.lost.square} was taken`);
  return parts.join(', ');
}

const REASONS: Record<string, string> = {
  king_captured: 'the king was captured',
  checkmate: 'checkmate',
  stalemate: 'stalemate',
  no_moves: 'no move was left',
  repetition: 'the position came three times',
  fifty_moves: 'fifty moves without capture or pawn move',
  bare_kings: 'two bare kings',
  insufficient_material: 'nothing to mate with',
  timeout: 'time ran out',
  resign: 'resignation',
  agreement: 'a draw was agreed',
  illegal_move: 'an illegal move',
  disconnect: 'the connection was lost',
  stall: 'the engine stalled',
  move_limit: 'the move limit was reached',
};

export const reason = (code: string | null): string => (code ? (REASONS[code] ?? code) : '');

/** "You won: the king was captured." */
export function verdict(end: OutcomeDto, me: Side | null): string {
  const why = reason(end.reason);
  const won =
    end.winner === null
      ? 'Draw'
      : me === null
        ? `${end.winner === 'white' ? 'White' : 'Black'} won`
        : end.winner === me
          ? 'You won'
          : 'You lost';
  return `${won}: ${why}.`;
}
