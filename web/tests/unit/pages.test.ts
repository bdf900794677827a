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
import { clockName, initial, kindOf, request, restore, tidy } from '../../src/state/options.ts';
import { go, itemsOf, link, look, open } from '../../src/state/replay.ts';
import {
  accuracy,
  chances,
  counts,
  curves,
  endOf,
  explanation,
  fate,
  judgedAt,
  keyMoments,
  lossAt,
  luck,
  marksOf,
  sentence,
  progressOf,
  settled,
  turningPoint,
  worth,
} from '../../src/state/review.ts';
import { routeOf } from '../../src/state/route.ts';
import { sightOf } from '../../src/state/sight.ts';
import { after, before } from '../../src/state/survey.ts';
import { cell, halves } from '../../src/state/tournament.ts';
import { movesIn, nameOf, turns, type Item } from '../../src/state/turns.ts';
import { numberOf } from '../../src/state/live.ts';
import type { GameInfo, LiveRow, RecordAnswer, MoveReviewDto, RecordRow, ReviewDto } from '../../src/state/wire.ts';

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
  for (const text of ['{', '{"game":"go"}', '7']) assert.deepEqual(restore(text), initial());
});

test('a newcomer plays White against the gentlest bot', () => {
  const { color, opponent, game } = restore(null);
  assert.deepEqual([game, color, opponent], ['fog', 'white', { kind: 'level', level: 1 }]);
});

test('rule sets and clocks have the names that players know', () => {
  assert.equal(kindOf({ game: 'fog', rules: 'chesscom' }), 'Fog of War · Chess.com rules');
  assert.equal(kindOf({ game: 'dice3', rules: null }), 'Three dice');
  assert.deepEqual([null, { base: 300_000, increment: 3000 }].map(clockName), ['Unlimited', '5 + 3']);
});

test('full sight is declared in words, and counts on no leaderboard', () => {
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
  assert.equal(sightOf(info, 'black'), 'Odds: you see everything, your opponent does not');
  assert.equal(sightOf(info, 'white'), 'Odds: your opponent sees everything, you do not');
  assert.equal(sightOf(info), 'Odds: full vision for Black (Bo)');
  assert.equal(sightOf({ ...info, sight: { white: 'normal', black: 'normal' } }), '');
});

test('beliefs of a long game are fetched in parts, and their end is said', () => {
  assert.equal(wanted(noBeliefs, 199), 100);
  const asked = asking(noBeliefs, 100);
  assert.equal(wanted(asked, 199), null);
  assert.equal(wanted(asked, 200), 200);
  assert.match(told(asked, 150, 'black', true), /^Counting the positions possible for Black/);
  const known = arrived(asked, [{ ply: 150, count: 48213, exact: false, truth: true, heat: {} }]);
  assert.equal(told(known, 150, 'black', false), 'At least 48\u2009213 positions were possible for Black.');
  assert.match(told(known, 151, 'black', false), /no heat map from here on/);
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
  assert.deepEqual([opened.ply, opened.eye], [2, 'black']);
  assert.equal(link('X', opened), '/replay/X?ply=2&view=black');
  assert.equal(go(opened, 99).ply, 4);
  assert.equal(go(opened, -1).ply, 0);
  assert.equal(open(record, new URLSearchParams('ply=zebra')).ply, 4);
  assert.equal(look(opened, 'truth').eye, 'truth');
  assert.equal(open(record, new URLSearchParams('view=three')).eye, 'truth', 'the link of an older page');
  assert.deepEqual(
    turns(itemsOf(record.rows)).map((turn) => [turn.number, turn.white.length, turn.black.length]),
    [
      [1, 2, 1],
      [2, 1, 0],
    ],
  );
});

test('moves are numbered as players count them, also in a game joined late', () => {
  const item = (ply: number, by: 'white' | 'black', text: string, number?: number): Item =>
    number === undefined ? { ply, by, text } : { ply, by, text, number };
  const whole = [item(1, 'white', 'e4'), item(2, 'black', 'e5'), item(3, 'white', 'Nf3')];
  assert.deepEqual([nameOf(whole, 2), nameOf(whole, 3), nameOf(whole, 4)], ['1… e5', '2. Nf3', null]);
  assert.equal(movesIn(whole), 2);
  const late = [item(24, 'black', 'Kf8', 12), item(25, 'white', 'Ke2', 13)];
  assert.deepEqual([nameOf(late, 24), nameOf(late, 25)], ['12… Kf8', '13. Ke2']);
  assert.equal(turns(late)[0]?.white.length, 0, "Black's move stands in Black's column");
  const white = { fen: '8/8/8/8/8/8/8/8 b - - 0 7', by: 'white', turn: 'black' } as LiveRow;
  const black = { fen: '8/8/8/8/8/8/8/8 w - - 0 8', by: 'black', turn: 'white' } as LiveRow;
  assert.deepEqual([numberOf(white), numberOf(black)], [7, 7]);
});

test('a turn without a legal move stands in the list and counts', () => {
  const item = (ply: number, by: 'white' | 'black', roll: string | null): Item => ({ ply, by, text: 'x', roll });
  // One die: Black passes after move 1, White after move 2. Three dice: plies of one turn follow one roll.
  const one = turns([item(1, 'white', 'P'), item(2, 'white', 'N'), item(3, 'black', 'P'), item(4, 'black', 'N')]);
  assert.deepEqual(
    one.map(({ number, white, black, passed }) => [number, white.length, black.length, passed]),
    [
      [1, 1, 0, 'black'],
      [2, 1, 1, undefined],
      [3, 0, 1, 'white'],
    ],
  );
  const three = turns([item(1, 'white', 'PPN'), item(2, 'white', null), item(3, 'white', 'NBR')]);
  assert.deepEqual(
    three.map(({ white, passed }) => [white.length, passed]),
    [
      [2, 'black'],
      [1, undefined],
    ],
  );
  const late: Item[] = [4, 5].map((number) => ({ ply: number, by: 'white', text: 'x', number }));
  assert.equal(turns(late)[0]?.passed, 'black', 'a spectator knows it by the number');
});

const judged = (more: Partial<MoveReviewDto>): MoveReviewDto => ({
  ply: 4,
  played: 'd1h5',
  san: 'Qh5',
  best: 'g1f3',
  best_san: 'Nf3',
  safety: null,
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

test('a move is judged in one plain sentence', () => {
  assert.equal(sentence(judged({}), 'fog'), 'Qh5 was a mistake (54% to 44%): best was Nf3.');
  assert.equal(
    sentence(judged({ safety: { played: 0.41, best: 0.96 } }), 'fog'),
    'Qh5 was a mistake (54% to 44%): best was Nf3, it was safe in 96% of the positions you could be in, Qh5 in 41%.',
  );
  assert.equal(sentence(judged({}), 'chess'), 'Qh5 was a mistake (+0.3 to −0.4): best was Nf3.');
  assert.equal(sentence(judged({ verdict: 'forced', loss: 0 }), 'fog'), 'Qh5 was the only move (54%).');
  assert.equal(fate(judged({}), 'fog'), 'Then luck went against you: −15%.');
  assert.equal(fate(judged({ luck: 0.01 }), 'fog'), '');
  assert.equal(fate(judged({ luck: 0.4 }), 'chess'), 'Your opponent then gave back 20%.');
  assert.equal(fate(judged({}), 'chess'), '', 'nothing is luck where nothing is hidden');
  assert.deepEqual([-2, 0, 1].map(chances), ['0%', '50%', '100%']);
  assert.equal(worth(0, 'chess'), '+0.0');
});

test('a loss is explained by what captured, then by what could be known', () => {
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
    /^Captured by: knight from c6\. .*knight from c6 \(75%\), pawn from c5 \(25%\).*bishop on d4 .* 71% /,
  );
});

test('a review is found by ply, also for turns of several moves', () => {
  const review: ReviewDto = {
    side: 'white',
    moves: [judged({ ply: 0, played: 'e2e4 g1f3', verdict: 'best', luck: 0.1 }), judged({})],
    losses: [],
    lost_at: null,
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
  assert.equal(counts(review), '0 inaccuracies, 1 mistake, 0 blunders');
  assert.deepEqual(luck(review, 'dice1'), { share: -0.1, text: 'Luck against you: 10%, the dice alone −5%.' });
  assert.equal(luck(review, 'chess'), null);
});

test('the progress of a review, or its place in the queue', () => {
  assert.equal(progressOf({ done: 7, of: 31, queue: null }), 'Analysing… 22%');
  assert.equal(progressOf({ done: 0, of: 31, queue: 0 }), 'Analysing… 0%');
  assert.equal(progressOf({ done: 0, of: 31, queue: 1 }), 'Waiting: 1 analysis before yours');
  assert.equal(progressOf({ done: 0, of: 31, queue: 3 }), 'Waiting: 3 analyses before yours');
});

test('a review that could not follow the whole game says where it ends', () => {
  const review = { moves: [], losses: [], lost_at: 12 } as unknown as ReviewDto;
  const named = (ply: number): string => `move ${ply}`;
  assert.equal(endOf(review, named), 'Reviewed up to move 12: beyond it too many positions were possible.');
  assert.equal(endOf({ ...review, lost_at: null }, named), null);
});

test('a resignation is no bad luck', () => {
  const review: ReviewDto = {
    side: 'white',
    moves: [judged({ luck: 0.1 }), judged({ ply: 6, luck: -0.9 })],
    losses: [],
    lost_at: null,
    luck: -0.8,
    given: 0.4,
    dice: null,
    result: -1,
  };
  assert.equal(settled(review, 'king_captured'), review);
  const resigned = settled(review, 'resign');
  assert.ok(Math.abs(resigned.luck - 0.1) < 1e-12);
  assert.equal(resigned.moves[1]?.luck, 0);
});

test('accuracy, key moments and the turning point', () => {
  const review = (...moves: MoveReviewDto[]): ReviewDto => ({
    side: 'white',
    moves,
    losses: [],
    lost_at: null,
    luck: 0,
    given: 0,
    dice: null,
    result: null,
  });
  const fault = (ply: number, loss: number): MoveReviewDto => judged({ ply, loss, verdict: 'blunder', luck: 0 });
  const fine = judged({ ply: 0, loss: 0, verdict: 'best', luck: 0 });
  assert.equal(accuracy(review(fine)), 100);
  assert.equal(accuracy(review(judged({ verdict: 'forced' }))), null);
  const worse = accuracy(review(fine, fault(2, 1)))!;
  assert.ok(worse < 60 && worse > 40, String(worse));
  const whole = review(fine, fault(8, 0.6), fault(2, 0.9), fault(4, 0.5), fault(6, 0.7));
  assert.deepEqual(
    keyMoments(whole).map((move) => move.ply),
    [2, 6, 8],
  );
  assert.equal(turningPoint(whole)?.ply, 2);
  assert.equal(turningPoint(review(fine)), null);
  assert.equal(turningPoint(review(fine, judged({ ply: 6, verdict: 'good', luck: -1 })))?.ply, 6);
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
