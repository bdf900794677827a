import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrived, asking, noBeliefs, told, wanted } from '../../src/state/belief.ts';
import { left, written } from '../../src/state/clock.ts';
import { path, rangeOf } from '../../src/state/curve.ts';
import { clear, put, readFen, START, writeFen } from '../../src/state/editor.ts';
import { grouped, warmth } from '../../src/state/heat.ts';
import { commandOf } from '../../src/state/keys.ts';
import { dropped, fresh, wait } from '../../src/state/link.ts';
import { shown } from '../../src/state/names.ts';
import { initial, request, restore, tidy } from '../../src/state/options.ts';
import { go, link, look, numbered, open } from '../../src/state/replay.ts';
import { curves, explanation, judgedAt, judgement, lossAt, marksOf, summary } from '../../src/state/review.ts';
import { routeOf } from '../../src/state/route.ts';
import { sightOf } from '../../src/state/sight.ts';
import { after, before } from '../../src/state/survey.ts';
import { cell, halves } from '../../src/state/tournament.ts';
import type { GameInfo, RecordAnswer, MoveReviewDto, RecordRow, ReviewDto } from '../../src/state/wire.ts';

test('clocks run down for one side only and are written as people read them', () => {
  const clocks = { white: 61_000, black: 9_940, running: 'white' as const, at: 100 };
  assert.equal(left(clocks, 'white', 1100), 60_000);
  assert.equal(left(clocks, 'black', 1100), 9_940);
  assert.equal(left(clocks, 'white', 1e9), 0);
  assert.deepEqual([61_000, 9_940, 3_600_000, 0].map(written), ['1:01', '0:09.9', '1:00:00', '0:00.0']);
});

test('names are text, without marks that could disguise them', () => {
  assert.equal(shown('<img onerror=alert(1)>'), '<img onerror=alert(1)>');
  assert.equal(shown('a\u202eb\u200bc\n'), 'abc');
  assert.equal(shown('\u200b'), 'open seat');
  assert.equal([...shown('😀'.repeat(10_000))].length, 30);
});

test('addresses', () => {
  assert.deepEqual(routeOf('/game/Xk3-_9'), { page: 'game', id: 'Xk3-_9' });
  assert.equal(routeOf('/').page, 'home');
  for (const path of ['/game/', '/game/..%2f', '/game/a/b', '/nowhere', '/game/<b>'])
    assert.equal(routeOf(path).page, 'missing', path);
  assert.equal(routeOf('/watch/x').page, 'live');
});

test('keys; chords belong to the browser', () => {
  assert.equal(commandOf({ key: 'ArrowLeft' }), 'back');
  assert.equal(commandOf({ key: ' ' }), 'roll');
  assert.equal(commandOf({ key: 'f', ctrlKey: true }), null);
  assert.equal(commandOf({ key: 'x' }), null);
});

test('the first page asks for what was chosen and drops what cannot be', () => {
  const levels = [{ level: 1, name: 'a', agent: 'random' }];
  const choice = tidy({ ...initial(), rated: true, practice: true, opponent: { kind: 'level', level: 9 } }, levels, []);
  assert.deepEqual([choice.rated, choice.practice, choice.opponent], [false, true, { kind: 'level', level: 1 }]);
  const small = { name: 'Small', fen: 'rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1', size: '5x5' };
  assert.equal(tidy({ ...initial(), fen: small.fen }, levels, [small]).fen, small.fen);
  assert.equal(tidy({ ...initial(), fen: small.fen }, levels, []).fen, '');
  const body = request({ ...initial(), clock: '300+3', opponent: { kind: 'person' } });
  assert.deepEqual(body['clock'], { base: 300, increment: 3 });
  assert.deepEqual(body['opponent'], { person: true });
  for (const text of [null, '{', '{"game":"go"}', '7']) assert.deepEqual(restore(text), initial());
});

test('full sight is declared in words, and counts on no ladder', () => {
  const levels = [{ level: 2, name: 'a', agent: 'random' }];
  const seer = tidy({ ...initial(), sight: 'me', rated: true }, levels, []);
  assert.deepEqual([seer.sight, seer.rated, request(seer)['sight']], ['me', false, 'me']);
  assert.equal('sight' in request(initial()), false);
  assert.equal(tidy({ ...seer, game: 'chess' }, levels, []).sight, 'fog', 'only fog hides anything');
  const info = {
    sight: { white: 'normal', black: 'full' },
    white: { name: 'Ada' },
    black: { name: 'Bo' },
  } as unknown as GameInfo;
  assert.equal(sightOf(info, 'black'), 'Declared: you see everything, your opponent does not');
  assert.equal(sightOf(info, 'white'), 'Declared: your opponent sees everything, you do not');
  assert.equal(sightOf(info), 'Declared: Black (Bo) sees everything');
  assert.equal(sightOf({ ...info, sight: { white: 'normal', black: 'normal' } }), '');
});

test('beliefs of a long game are fetched in parts, and their end is said', () => {
  assert.equal(wanted(noBeliefs, 199), 100);
  const asked = asking(noBeliefs, 100);
  assert.equal(wanted(asked, 199), null);
  assert.equal(wanted(asked, 200), 200);
  assert.match(told(asked, 150, 'black', true), /^Working out what Black/);
  const known = arrived(asked, [{ ply: 150, count: 48213, exact: false, truth: true, heat: {} }]);
  assert.equal(told(known, 150, 'black', false), 'At least 48\u2009213 positions fitted what Black saw.');
  assert.match(told(known, 151, 'black', false), /no map from here on/);
});

const row = (ply: number, by: 'white' | 'black' | null, move: string | null): RecordRow => ({
  ply,
  fen: '',
  truth: '',
  white: '',
  black: '',
  turn: 'white',
  roll: null,
  dice: null,
  move,
  san: null,
  by,
  took: null,
  sighting: null,
  clock: null,
});

test('a replay goes where its link says and stays inside the game', () => {
  const record = {
    rows: [row(0, null, null), row(1, 'white', 'a'), row(2, 'white', 'b'), row(3, 'black', 'c'), row(4, 'white', 'd')],
  } as RecordAnswer;
  const opened = open(record, new URLSearchParams('ply=2&view=black'));
  assert.deepEqual([opened.ply, opened.eye, opened.layout], [2, 'black', 'one']);
  assert.equal(link('X', opened), '/replay/X?ply=2&view=black');
  assert.equal(go(opened, 99).ply, 4);
  assert.equal(go(opened, -1).ply, 0);
  assert.equal(open(record, new URLSearchParams('ply=zebra')).ply, 4);
  assert.equal(look(opened, 'truth').eye, 'truth');
  assert.deepEqual(
    numbered(record.rows).map((m) => [m.number, m.by]),
    [
      [1, 'white'],
      [1, 'white'],
      [1, 'black'],
      [2, 'white'],
    ],
  );
});

const judged = (more: Partial<MoveReviewDto>): MoveReviewDto => ({
  ply: 4,
  played: 'd1h5',
  san: 'Qh5',
  best: 'g1f3',
  value: 0.08,
  loss: 0.2,
  error: 0.05,
  verdict: 'mistake',
  luck: -0.3,
  count: 1210,
  exact: true,
  truth: -0.3,
  ...more,
});

test('judgements speak of what was known, then of luck', () => {
  assert.match(
    judgement(judged({})).join(' '),
    /1\u2009210 positions fitted.*Qh5 was a mistake.*−0\.12.*g1f3 promised \+0\.08.*unlucky: −0\.30/,
  );
  assert.match(
    judgement(judged({ verdict: 'forced', count: 1, luck: 0 })).join(' '),
    /^Qh5 was the only move \(−0\.12\)\. What followed was as expected\.$/,
  );
  const taker = { piece: 'N', from: 'c6', chance: 0.75 };
  const loss = {
    ply: 11,
    square: 'd4',
    piece: 'B',
    danger: 0.71,
    takers: [taker, { piece: 'P', from: 'c5', chance: 0.25 }],
    really: taker,
  };
  assert.match(
    explanation(loss).join(' '),
    /bishop on d4.*71 %.*knight from c6: 75 %; a pawn from c5: 25 %\. In truth: the knight from c6\./,
  );
});

test('a review is found by ply, also for turns of several moves', () => {
  const review: ReviewDto = {
    side: 'white',
    moves: [judged({ ply: 0, played: 'e2e4 g1f3', verdict: 'best', luck: 0.1 }), judged({})],
    losses: [],
    luck: -0.2,
    given: 0.2,
    dice: -0.1,
    result: -1,
  };
  assert.equal(judgedAt(review, 1), review.moves[0]);
  assert.equal(judgedAt(review, 2), review.moves[0]);
  assert.equal(judgedAt(review, 3), undefined);
  assert.deepEqual(
    [...marksOf(review)],
    [
      [2, 'best'],
      [5, 'mistake'],
    ],
  );
  assert.deepEqual(curves(review).known, [
    [0, 0.08],
    [4, 0.08],
  ]);
  assert.equal(lossAt(review, 5), undefined);
  assert.equal(
    summary(review),
    '2 moves: 0 inaccurate moves, 1 mistake, 0 blunders. Given away 0.20; luck −0.20, of which the dice −0.10.',
  );
});

test('the editor writes FENs that keep only possible rights', () => {
  const start = readFen(START);
  assert.equal(writeFen(start), START);
  assert.equal(writeFen(put(start, 'h1', '.')), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1');
  assert.equal(writeFen(clear(start)), '8/8/8/8/8/8/8/8 w - - 0 1');
  assert.equal(writeFen(readFen('4k3/8/8/8/8/8/8/4K3 b - - 0 1 nk'), true), '4k3/8/8/8/8/8/8/4K3 b - - 0 1 nk');
  assert.equal(writeFen(start, true), `${START} -`);
  assert.equal(writeFen(put(readFen('4/4/4/4 b - - 0 1'), 'a1', '?')), '4/4/4/?3 b - - 0 1');
});

test('the user test refuses half answers', () => {
  const from = (data: Record<string, string | undefined>) => (name: string) => data[name] ?? null;
  const good = before(from({ participant: '7', hours: '3,5', openings: '1', tactics: '7', positional: '4' }));
  assert.deepEqual(good, {
    ok: true,
    value: { participant: 7, before: { hours: 3.5, openings: 1, tactics: 7, positional: 4 } },
  });
  for (const bad of [
    { participant: '0' },
    { participant: '7', hours: '-1' },
    { participant: '7', hours: '1', openings: '8', tactics: '1', positional: '1' },
  ])
    assert.equal(before(from(bad)).ok, false);
  assert.equal(after(from({ hardest: 'middle', easiest: 'opening', moves: '3', depth: '2', risk: '4' })).ok, true);
  assert.equal(after(from({ hardest: 'lunch', easiest: 'opening', moves: '3', depth: '2', risk: '4' })).ok, false);
});

test('belief is summed over kinds; counts are grouped', () => {
  const heat = { k: [0.5, 0, 0, 0], p: [0.2, 0.001, 0, 0] };
  const map = warmth(heat, { files: 2, ranks: 2 });
  assert.deepEqual([...map.keys()], ['a1']);
  assert.deepEqual(map.get('a1'), { p: 0.7, kind: 'k', top: 0.5 });
  assert.equal(warmth(heat, { files: 2, ranks: 2 }, ['p']).get('a1')?.p, 0.2);
  assert.equal(grouped(1234567), '1\u2009234\u2009567');
});

test('curves stay in their frame and break where nothing is known', () => {
  const frame = { width: 100, height: 50, pad: 0 };
  assert.equal(
    path(
      [
        [0, -1],
        [1, null],
        [2, 1],
      ],
      0,
      2,
      rangeOf([-1, 1]),
      frame,
    ),
    'M0.0 50.0M100.0 0.0',
  );
});

test('a lost line is tried again ever more slowly, but not for ever where it is useless', () => {
  let now = fresh();
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    now = dropped(now, 1006);
    waits.push(wait(now));
  }
  assert.deepEqual(waits, [300, 600, 1200, 2400, 4800, 5000, 5000]);
  assert.equal(dropped(fresh(), 4004).final, 'There is no such game.');
});

test('cross tables count halves', () => {
  assert.equal(cell({ w: 3, d: 1, l: 0 }), '3½ / 4');
  assert.equal(cell(null), '');
  assert.deepEqual([0, 0.5, 2].map(halves), ['0', '½', '2']);
});
