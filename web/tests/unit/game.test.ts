import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintFor, readHints, writeHints, type Hint } from '../../src/state/coach.ts';
import { captured, checkedKing, empty, lastSquares, receive, turnFor, type Game } from '../../src/state/game.ts';
import { heatOf, suggestions } from '../../src/state/hints.ts';
import { line, loss, spoken, verdict } from '../../src/state/notation.ts';
import { soundOf } from '../../src/state/sound.ts';
import { readView } from '../../src/state/view.ts';
import type { MoveLogEntry, GameInfo, Message, Observation } from '../../src/state/wire.ts';

const info: GameInfo = {
  id: 'X',
  game: 'fog',
  rules: 'chesscom',
  start: 'startpos',
  size: '4x4',
  sight: { white: 'normal', black: 'normal' },
  status: 'running',
  white: { name: 'Ada', kind: 'person' },
  black: { name: 'greedy', kind: 'agent', agent: 'greedy' },
  clock: null,
  rated: false,
  practice: false,
  live: false,
  created: 0,
  ply: 0,
  result: null,
  reason: null,
  tournament: null,
  rematch: null,
};
const look = (ply: number, turn: 'white' | 'black', board: string, more: Partial<Observation> = {}): Observation => ({
  side: 'white',
  ply,
  turn,
  over: false,
  board,
  fen: '',
  moves: turn === 'white' ? ['a1a2'] : [],
  roll: false,
  dice: null,
  took: null,
  lost: null,
  mine: null,
  result: null,
  ...more,
});
const entry = (ply: number, more: Partial<MoveLogEntry> = {}): MoveLogEntry => ({
  ply,
  by: ply % 2 ? 'white' : 'black',
  move: null,
  san: null,
  kind: null,
  from: [],
  to: [],
  piece: null,
  promotion: null,
  took: null,
  lost: null,
  roll: null,
  clock: null,
  ...more,
});
const state = (v: number, observation: Observation): Message => ({
  t: 'state',
  v,
  d: {
    info,
    you: 'white',
    observation,
    log: [],
    clocks: { white: 1000, black: 2000, running: 'white' },
    draw: null,
    commit: null,
    seed: null,
    online: { white: true, black: true },
    end: null,
    watch: null,
    live: null,
    reveal: null,
  },
});
const move = (v: number, observation: Observation, e: MoveLogEntry): Message => ({
  t: 'move',
  v,
  d: { observation, entry: e, clocks: null },
});

const started = (): Game => receive(empty(), state(1, look(0, 'white', '???k/..../..../K...')), 50);

test('a snapshot fills the game, and its clocks start when they came', () => {
  const game = started();
  assert.equal(game.v, 1);
  assert.equal(game.you, 'white');
  assert.equal(turnFor(game), 'move');
  assert.equal(game.clocks?.at, 50);
});

test('moves advance it once, also when they are sent again', () => {
  const first = receive(started(), move(2, look(1, 'black', '????/..../K.../....'), entry(1, { move: 'a1a2' })), 60);
  assert.equal(turnFor(first), 'wait');
  assert.deepEqual(first.memory.ghosts.get('d4'), { piece: 'k', ply: 1 });
  const again = receive(first, move(2, look(1, 'black', '????/..../K.../....'), entry(1, { move: 'a1a2' })), 70);
  assert.equal(again, first);
  assert.equal(receive(first, move(3, look(2, 'white', '????/..../K.../....'), entry(2)), 80).log.length, 2);
});

test('a sent move waits for its acknowledgement and survives a reconnect', () => {
  const pending = { ply: 0, uci: 'a1a2', token: 't' };
  const waiting = { ...started(), pending };
  assert.equal(turnFor(waiting), 'wait');
  assert.deepEqual(receive(waiting, state(1, look(0, 'white', '???k/..../..../K...')), 90).pending, pending);
  assert.equal(receive(waiting, state(4, look(1, 'black', '????/..../K.../....')), 90).pending, null);
  assert.equal(receive(waiting, { t: 'ack', d: { ply: 0, token: 't' } }, 90).pending, null);
  const refused = receive(waiting, { t: 'error', d: { error: 'no', ply: 0, token: 't' } }, 90);
  assert.equal(refused.pending, null);
  assert.equal(refused.notice, 'no');
});

test('dice: first the roll, then the move', () => {
  const before = receive(empty(), state(1, look(0, 'white', '...k/..../..../K...', { roll: true, moves: [] })), 0);
  assert.equal(turnFor(before), 'roll');
  const rolled = receive(
    before,
    {
      t: 'roll',
      v: 2,
      d: {
        observation: look(0, 'white', '...k/..../..../K...', { dice: 'K' }),
        roll: 'K',
        number: 0,
        by: 'white',
        clocks: null,
      },
    },
    0,
  );
  assert.equal(turnFor(rolled), 'move');
  assert.deepEqual(rolled.roll, { by: 'white', dice: 'K' });
});

test('the end stops the clocks and is told to both in their words', () => {
  const over = receive(
    started(),
    {
      t: 'end',
      v: 9,
      d: {
        result: '0-1',
        winner: 'black',
        reason: 'king_captured',
        observation: null,
        clocks: null,
        ratings: { white: { before: 1500, after: 1480 }, black: { before: 1500, after: 1520 } },
        reveal: null,
      },
    },
    99,
  );
  assert.equal(turnFor(over), 'over');
  assert.equal(over.clocks?.running, null);
  assert.equal(verdict(over.end!, 'white'), 'You lost: the king was captured.');
  assert.equal(verdict(over.end!, null), 'Black won: the king was captured.');
  const again = receive(over, state(10, look(0, 'white', '???k/..../..../K...')), 100);
  assert.equal(again.ratings?.white.after, 1480, 'a snapshot tells no ratings, and takes none away');
});

test('a practice answer in two parts is one', () => {
  const part = { ply: 0, count: 7, exact: true, heat: { k: [1] }, mix: null, value: null };
  const first = receive(started(), { t: 'practice', d: part }, 0);
  const second = receive(first, { t: 'practice', d: { ...part, heat: null, mix: [{ move: 'a1a2', p: 1 }] } }, 0);
  assert.deepEqual(second.practice?.heat, { k: [1] });
  assert.equal(second.practice?.mix?.length, 1);
});

test('hints are drawn while they belong to the present ply', () => {
  const wish = { heat: true, mix: true, kind: 'all' };
  const mix = [
    { move: 'a1a2', p: 0.9 },
    { move: 'a1b1', p: 0.01 },
  ];
  const part = { ply: 0, count: 7, exact: true, heat: { k: Array<number>(16).fill(0.5) }, mix, value: null };
  const now = receive(started(), { t: 'practice', d: part }, 0);
  assert.deepEqual(suggestions(now, wish), [{ from: 'a1', to: 'a2', weight: 0.9, kind: 'mix' }]);
  assert.ok((heatOf(now, wish, now.view!)?.size ?? 0) > 0);
  assert.deepEqual(suggestions(now, { ...wish, mix: false }), []);
  const late = receive(started(), { t: 'practice', d: { ...part, ply: 4 } }, 0);
  assert.deepEqual([suggestions(late, wish), heatOf(late, wish, late.view!)], [[], null]);
});

test('the move list holds what was seen and nothing more', () => {
  const texts: [Partial<MoveLogEntry>, string][] = [
    [{}, '?'],
    [{ to: ['d5'], piece: 'p' }, 'd5'],
    [{ from: ['g8'], piece: 'n' }, 'Ng8–?'],
    [{ from: ['g8'], to: ['f6'], piece: 'n' }, 'Nf6'],
    [{ to: ['g8', 'f8'], piece: 'r' }, 'O-O'],
    [{ move: 'a1a2', san: 'Ka2', piece: 'K' }, 'Ka2'],
  ];
  for (const [more, text] of texts) assert.equal(line(entry(2, more)), text);
  assert.equal(spoken(entry(2), 'white'), 'Black moved in the fog');
});

test('a certain capturer is written without a question mark, and ?x means a hidden one only', () => {
  const lost = { square: 'd5', piece: 'N' };
  const texts: [Partial<MoveLogEntry>, string][] = [
    [{ lost }, '?xd5'],
    [{ lost, to: ['d5'], piece: 'n' }, 'Nxd5'],
    [{ lost, to: ['d5'], piece: 'p' }, 'Pxd5'],
    [{ lost, from: ['e6'], to: ['d5'], piece: 'p' }, 'exd5'],
    // Seen to leave: nothing else can have captured, though the square is dark again.
    [{ lost, from: ['b6'], piece: 'b' }, 'Bxd5'],
    // En passant: the pawn arrives beside the square of the loss.
    [{ lost: { square: 'e4', piece: 'P' }, from: ['d4'], to: ['e3'], piece: 'p' }, 'dxe3'],
  ];
  for (const [more, text] of texts) assert.equal(line(entry(2, more)), text);
});

test('which piece was lost is said, and to what if that was seen', () => {
  const lost = { square: 'e4', piece: 'N' };
  assert.equal(loss(entry(2, { lost })), 'You lost a knight on e4.');
  assert.equal(loss(entry(2, { lost, piece: 'p' })), 'You lost a knight on e4 to a pawn.');
  assert.equal(loss(entry(2)), '');
});

test('the last visible move stays marked through a hidden reply', () => {
  const own = entry(1, { move: 'e2e4' });
  assert.deepEqual(lastSquares([own, entry(2)]), ['e2', 'e4']);
  assert.deepEqual(lastSquares([own, entry(2, { to: ['d5'] })]), ['d5']);
  assert.deepEqual(lastSquares([entry(2, { lost: { square: 'e4', piece: 'P' } })]), ['e4']);
  assert.deepEqual(lastSquares([]), []);
});

test('check is shown where SAN tells it', () => {
  const view = readView('k.../..../Q.../K...');
  const log = [entry(1, { move: 'a1a2', san: 'Qa2+' })];
  assert.equal(checkedKing(log, view), 'a4');
  assert.equal(checkedKing([entry(1, { move: 'a1a2', san: 'Qa2' })], view), null);
});

test('a turn without a move, a declined draw and a lost connection are told', () => {
  const open = '...k/..../..../K...';
  const roll = (by: 'white' | 'black', turn: 'white' | 'black'): Message => ({
    t: 'roll',
    v: 2,
    d: { observation: look(1, turn, open), roll: 'N', number: 0, by, clocks: null },
  });
  assert.equal(
    receive(started(), roll('white', 'black'), 0).news,
    'You rolled knight: no legal move, your turn passes.',
  );
  assert.equal(receive(started(), roll('black', 'white'), 0).news, 'Black rolled knight: no legal move. Your turn.');
  assert.equal(receive(started(), roll('white', 'white'), 0).news, null);
  const draw: Message = { t: 'draw', v: 2, d: { by: 'black', state: 'declined' } };
  assert.equal(receive(started(), draw, 0).news, 'Your draw offer was declined.');
  const gone = receive(started(), { t: 'online', v: 2, d: { white: true, black: false } }, 0);
  assert.equal(gone.news, 'greedy lost the connection.');
  assert.equal(receive(gone, { t: 'online', v: 3, d: { white: true, black: true } }, 0).news, 'greedy is back.');
  assert.equal(receive(gone, move(3, look(1, 'black', open), entry(1, { move: 'a1a2' })), 0).news, null);
});

test('past views are the ones that the server sends', () => {
  const past = receive(started(), { t: 'past', d: { boards: ['a', 'b'] } }, 0);
  assert.deepEqual(
    [...past.boards],
    [
      [0, 'a'],
      [1, 'b'],
    ],
  );
});

test('each hint comes at its moment and never again', () => {
  const before = started();
  const dark = '????/..../K.../....';
  const given = new Set<Hint>();
  const played = receive(before, move(2, look(1, 'black', dark), entry(1, { move: 'a1a2' })), 0);
  assert.equal(hintFor(before, played, given), 'ghost', 'the king has gone out of sight');
  const replied = receive(played, move(3, look(2, 'white', dark), entry(2)), 0);
  assert.equal(hintFor(played, replied, given), 'hidden');
  given.add('hidden');
  assert.equal(hintFor(played, replied, given), null);
  const lost = receive(played, move(3, look(2, 'white', dark), entry(2, { lost: { square: 'a2', piece: 'N' } })), 0);
  assert.equal(hintFor(played, lost, given), 'lost');
  const took = receive(replied, move(4, look(3, 'black', dark), entry(3, { took: { square: 'b3', piece: 'p' } })), 0);
  assert.equal(hintFor(replied, took, given), 'capture');
  assert.equal(hintFor(replied, { ...took, info: { ...info, game: 'chess' } }, given), null);
  assert.deepEqual(readHints(writeHints(given)), given);
  assert.equal(readHints('nonsense').size, 0);
});

test('captured pieces: those that I took and those that I lost', () => {
  const log = [
    entry(1, { took: { square: 'd5', piece: 'p' } }),
    entry(2, { lost: { square: 'e4', piece: 'P' } }),
    entry(3),
  ];
  assert.deepEqual(captured(log), { lost: ['P'], took: ['p'] });
});

test('sounds tell nothing that the view does not hold', () => {
  const heard = (e: MoveLogEntry): string | null =>
    soundOf(move(2, look(1, 'white', '????/..../..../K...'), e), 'white');
  const unseen = heard(entry(2));
  assert.equal(unseen, 'other');
  for (const seen of [
    entry(2, { to: ['d5'] }),
    entry(2, { from: ['d5'] }),
    entry(2, { from: ['d7'], to: ['d5'], promotion: 'q' }),
  ])
    assert.equal(heard(seen), unseen);
  assert.equal(heard(entry(2, { lost: { square: 'e4', piece: 'P' } })), 'capture');
  assert.equal(heard(entry(1, { move: 'a1a2', took: { square: 'a2', piece: 'p' } })), 'capture');
  assert.equal(heard(entry(1, { move: 'a1a2' })), 'own');
});
