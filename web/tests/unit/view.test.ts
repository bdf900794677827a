import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocks, describe, describeSquare } from '../../src/state/describe.ts';
import { keysOf, place, step } from '../../src/state/squares.ts';
import { cellAt, fogOf, readView, turnOf, writeView } from '../../src/state/view.ts';

const FOG = 'rnbqkbnr/ppp1pppp/8/3p4/???1P?1?/???????1/????????/???????? w kq - - -';

test('a fog FEN is read and written back', () => {
  const view = readView(FOG);
  assert.deepEqual(view.size, { files: 8, ranks: 8 });
  assert.equal(cellAt(view, 'e4'), 'P');
  assert.equal(cellAt(view, 'a4'), '?');
  assert.equal(cellAt(view, 'd4'), '.');
  assert.equal(writeView(view), FOG.split(' ')[0]);
  assert.equal(turnOf(FOG), 'white');
});

test('rows with dots, stars and other sizes are read too', () => {
  const view = readView('*..k/f?../..../K...');
  assert.deepEqual(view.size, { files: 4, ranks: 4 });
  assert.deepEqual(fogOf(view).sort(), ['a3', 'a4', 'b3']);
  assert.equal(writeView(view, 'empty'), '3k/4/4/K3');
});

test('squares turn with the board, and steps stop at the edge', () => {
  const size = { files: 5, ranks: 6 };
  assert.equal(keysOf(size).length, 30);
  assert.deepEqual(place('a1', size, 'white'), { x: 0, y: 5 });
  assert.deepEqual(place('a1', size, 'black'), { x: 4, y: 0 });
  assert.equal(step('a1', -1, 0, size, 'white'), 'a1');
  assert.equal(step('a1', 1, -1, size, 'white'), 'b2');
  assert.equal(step('c3', 1, -1, size, 'black'), 'b2');
});

test('fog is spoken as few rectangles that cover it exactly', () => {
  const dark = ['a5', 'b5', 'c5', 'a6', 'b6', 'c6', 'a7', 'b7', 'c7', 'a8', 'b8', 'c8', 'h1'];
  const found = blocks(dark);
  assert.deepEqual(
    found.map((b) => [b.low, b.high]),
    [
      ['a5', 'c8'],
      ['h1', 'h1'],
    ],
  );
  assert.deepEqual(found.flatMap((b) => b.squares).sort(), [...dark].sort());
});

test('a view is described as the design says', () => {
  const view = readView('???...../???...../???..n../???...../......../......../......../K.......');
  assert.equal(describe(view, 'white'), 'fog: a5 to c8; seen: knight f6');
  assert.equal(describeSquare(view, 'f6'), 'f6, black knight');
  assert.equal(describeSquare(view, 'a8'), 'a8, fog');
  assert.equal(describeSquare(view, 'h8'), 'h8, empty');
});
