import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterMove, castling, promotions, san, sanLine, targets, typed } from '../../src/state/moves.ts';
import { cellAt, readView } from '../../src/state/view.ts';

const view = readView('r3k2r/1P4p1/8/3pP3/2n5/1N3N2/8/R3K2R');
const moves = [
  'e1g1',
  'e1c1',
  'e1d1',
  'b3d4',
  'f3d4',
  'f3g5',
  'b7b8q',
  'b7b8n',
  'b7a8q',
  'b7a8r',
  'e5d6',
  'e5e6',
  'a1d1',
  'h1f1',
];

const played = (text: string): string => {
  const meant = typed(text, view, moves);
  return meant.kind === 'move' ? meant.uci : meant.kind;
};

test('typed moves in every spelling that people use', () => {
  assert.equal(played('e5e6'), 'e5e6');
  assert.equal(played('e6'), 'e5e6');
  assert.equal(played('Ng5'), 'f3g5');
  assert.equal(played('ng5'), 'f3g5');
  assert.equal(played('Nf3g5'), 'f3g5');
  assert.equal(played('Nbd4'), 'b3d4');
  assert.equal(played('Nfd4!'), 'f3d4');
  assert.equal(played('O-O'), 'e1g1');
  assert.equal(played('0-0-0'), 'e1c1');
  assert.equal(played('o-o'), 'e1g1');
  assert.equal(played('b8=N'), 'b7b8n');
  assert.equal(played('b8'), 'b7b8q');
  assert.equal(played('bxa8=R+'), 'b7a8r');
  assert.equal(played('b7b8'), 'b7b8q');
  assert.equal(played('exd6'), 'e5d6');
});

test('typed moves that are none, or too many', () => {
  assert.equal(played('Nd4'), 'many');
  for (const text of ['', 'e2e9', '0000', 'b7b8k', 'Qh5', '<img>', 'e7e8']) assert.equal(played(text), 'none', text);
});

test('short notation tells pieces apart and names captures', () => {
  assert.equal(san(view, moves, 'b3d4'), 'Nbd4');
  assert.equal(san(view, moves, 'f3g5'), 'Ng5');
  assert.equal(san(view, moves, 'b7a8r'), 'bxa8=R');
  assert.equal(san(view, moves, 'e1c1'), 'O-O-O');
  assert.equal(castling(view, 'e1d1'), undefined);
});

test('a line is in short notation, whatever is not known in it', () => {
  assert.deepEqual(sanLine(view, ['f3g5', 'h5f6', 'g5e4']), ['Ng5', '?f6', 'Ne4']);
});

test('targets and promotions of a move', () => {
  assert.deepEqual(targets(moves).get('b7'), ['b8', 'a8']);
  assert.deepEqual(promotions(moves, 'b7', 'b8'), ['q', 'n']);
  assert.deepEqual(promotions(moves, 'e5', 'e6'), []);
});

test('a sent move is shown at once, castling and promotion too', () => {
  const castled = afterMove(view, 'e1g1');
  assert.deepEqual(
    ['e1', 'f1', 'g1', 'h1'].map((k) => cellAt(castled, k)),
    ['.', 'R', 'K', '.'],
  );
  assert.equal(cellAt(afterMove(view, 'b7b8n'), 'b8'), 'N');
  assert.equal(afterMove(view, 'h5h6'), view);
});
