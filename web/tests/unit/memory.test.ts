import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enemyMaterial } from '../../src/state/material.ts';
import { blank, load, mark, nextMark, remember, save } from '../../src/state/memory.ts';
import { readView } from '../../src/state/view.ts';
import type { MoveLogEntry } from '../../src/state/wire.ts';

const seen = readView('..n./..../..../K...');
const gone = readView('..?./..../..../K...');
const empty = readView('..../..../..../K...');

test('a piece that falls out of sight leaves a ghost until its square is seen', () => {
  const first = remember(blank(), 'white', null, seen, 1);
  assert.equal(first.ghosts.size, 0);
  const second = remember(first, 'white', seen, gone, 2);
  assert.deepEqual(second.ghosts.get('c4'), { piece: 'n', ply: 2 });
  assert.equal(remember(second, 'white', gone, empty, 3).ghosts.size, 0);
});

test('a piece that I took, or saw arrive elsewhere, leaves none', () => {
  assert.equal(remember(blank(), 'white', seen, gone, 2, { taken: 'c4' }).ghosts.size, 0);
  const moved = readView('..?./n.../..../K...');
  assert.equal(remember(blank(), 'white', seen, moved, 2).ghosts.size, 0);
});

test('there is one king: its ghost goes when it is seen', () => {
  const lost = remember(blank(), 'white', readView('k.../..../..../K...'), readView('?.../..../..../K...'), 2);
  assert.equal(lost.ghosts.size, 1);
  assert.equal(
    remember(lost, 'white', readView('?.../..../..../K...'), readView('?..k/..../..../K...'), 4, {
      material: new Map([['k', 1]]),
    }).ghosts.size,
    0,
  );
});

test('pencil marks live on dark squares only and go round', () => {
  const marked = mark(blank(), gone, 'c4', nextMark('white', undefined));
  assert.equal(marked.pencil.get('c4'), 'q');
  assert.equal(mark(blank(), gone, 'a4', 'q').pencil.size, 0);
  assert.equal(remember(marked, 'white', gone, empty, 3).pencil.size, 0);
  const round: (string | undefined)[] = [];
  for (let m = nextMark('black', undefined); m; m = nextMark('black', m)) round.push(m);
  assert.deepEqual(round, ['Q', 'R', 'B', 'N', 'P', 'K']);
});

test('the memory survives a reload, and nonsense is an empty one', () => {
  const memory = mark(remember(blank(), 'white', seen, gone, 2), gone, 'c4', 'r');
  assert.deepEqual(load(save(memory)), memory);
  for (const text of [null, '', '[1', '"x"', '{"ghosts":7}']) assert.equal(load(text).ghosts.size, 0);
});

test('a piece that was seen to leave is no ghost, nor where it stood before', () => {
  assert.equal(remember(blank(), 'white', seen, gone, 2, { left: ['c4'] }).ghosts.size, 0);
  const ghost = remember(blank(), 'white', seen, gone, 2);
  assert.equal(remember(ghost, 'white', gone, gone, 4, { left: ['c4'] }).ghosts.size, 0);
});

test('a piece that arrives takes its ghost with it', () => {
  const ghost = remember(blank(), 'white', seen, gone, 2);
  const arrived = readView('..?./..../.n../K...');
  assert.equal(remember(ghost, 'white', gone, arrived, 4, { arrived: ['b2'] }).ghosts.size, 0);
  // No knight's move away: another knight, if the enemy has two.
  const far = readView('..?n/..../..../K...');
  const two = new Map([['n', 2]]);
  assert.equal(remember(ghost, 'white', gone, far, 4, { arrived: ['d4'], material: two }).ghosts.size, 1);
  assert.equal(remember(ghost, 'white', gone, far, 4, { material: new Map([['n', 1]]) }).ghosts.size, 0);
});

test('the enemy has what it started with, less what I captured', () => {
  const took = { by: 'white', took: { square: 'd5', piece: 'p' } } as MoveLogEntry;
  const lost = { by: 'black', took: null, lost: { square: 'e4', piece: 'P' } } as MoveLogEntry;
  const left = enemyMaterial('startpos', 'white', [took, lost]);
  assert.deepEqual([left.get('p'), left.get('n'), left.get('k'), left.get('P')], [7, 2, 1, undefined]);
});
