/** A finished game: one large board in three views, its review, every loss explained. */

import { get, post } from '../api.ts';
import { arrived, asking, noBeliefs, told, wanted, type Beliefs } from '../state/belief.ts';
import { checkedAfter } from '../state/game.ts';
import { warmth } from '../state/heat.ts';
import type { Command } from '../state/keys.ts';
import { shown } from '../state/names.ts';
import { reason } from '../state/notation.ts';
import { kindOf } from '../state/options.ts';
import { go, itemsOf, link, look, open, rowOf, type Perspective, type Replay } from '../state/replay.ts';
import { curves, isFault, judgedAt, lossAt, marksOf } from '../state/review.ts';
import { nameOf as pieceName, other, type Side } from '../state/squares.ts';
import { movesIn, nameOf, type Item } from '../state/turns.ts';
import { readView } from '../state/view.ts';
import { seesAll, sightOf } from '../state/sight.ts';
import type { AskedGame, BeliefPart, LineRequest, LostPieceDto, RecordAnswer, ReviewDto } from '../state/wire.ts';
import { fetchReview } from '../reviews.ts';
import { barButton, homeLink, stepButtons } from '../ui/bar.ts';
import type { Arrow } from '../ui/board.ts';
import { a, button, fill, h, say } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { MoveList } from '../ui/movelist.ts';
import { plot } from '../ui/plot.ts';
import { ReviewPanel } from '../ui/review-panel.ts';
import type { Page, Shell } from '../ui/shell.ts';
import { TripleBoard } from '../ui/triple-board.ts';

/** What the other side saw of a move. */
const SIGHTINGS: Record<string, string> = {
  known: 'saw it',
  retreat: 'saw only the departure',
  surprise: 'saw only the arrival',
  dark: 'did not see it',
  'semi-retreat': 'saw part of the departure',
  'adverse surprise': 'saw only what was captured',
};

class ReplayPage {
  readonly element = h('div', { class: 'replay' });
  private replay: Replay;
  private side: Side;
  private flipped = false;
  private readonly items: Item[];
  private readonly reviews = new Map<Side, ReviewDto | string>();
  private readonly beliefs = new Map<Side, Beliefs>();
  private loading = 0;
  private map = false;
  private closed = false;
  private readonly trio: TripleBoard;
  private readonly list = new MoveList((ply) => this.go(ply));
  private readonly slider: HTMLInputElement;
  private readonly where = h('p', { class: 'where', 'aria-live': 'polite' });
  private readonly believed = h('p', { class: 'muted small believed', 'aria-live': 'polite', hidden: true });
  private readonly curve = h('div', { class: 'curve-box' });
  private readonly panel = new ReviewPanel({ go: (ply) => this.go(ply), side: (side) => this.pick(side) });
  private readonly heatButton: HTMLButtonElement;

  constructor(
    private readonly shell: Shell,
    private readonly id: string,
    private readonly record: RecordAnswer,
    private readonly you: Side | null,
    query: URLSearchParams,
  ) {
    this.replay = open(record, query);
    this.items = itemsOf(record.rows);
    this.trio = new TripleBoard(this.foggy, (eye) => this.look(eye));
    this.side = you ?? (record.info.white.kind === 'agent' && record.info.black.kind !== 'agent' ? 'black' : 'white');
    this.slider = h('input', {
      type: 'range',
      class: 'slider',
      min: 0,
      max: record.rows.length - 1,
      'aria-label': 'Move',
      on: { input: () => this.go(Number(this.slider.value)) },
    });
    this.heatButton = barButton('heat', 'Heat map (b)', () => this.belief());
    this.heatButton.hidden = !this.foggy;
    this.layout();
    this.render();
    void this.loadReview(this.side);
  }

  close(): void {
    this.closed = true;
    this.trio.destroy();
  }

  private get foggy(): boolean {
    return this.record.info.game === 'fog';
  }

  private layout(): void {
    this.element.append(
      this.headline(),
      h('div', { class: 'stage' }, this.trio.root, this.where, this.believed),
      h('div', { class: 'timeline' }, this.curve, this.slider),
      h(
        'div',
        { class: 'bar' },
        homeLink(),
        stepButtons((command) => void this.command(command)),
        this.heatButton,
      ),
      h('aside', { class: 'side' }, this.list.root, this.panel.root, this.downloads()),
    );
  }

  private headline(): HTMLElement {
    const { info } = this.record;
    const all = movesIn(this.items);
    const length = `${all} ${all === 1 ? 'move' : 'moves'}`;
    const facts = [kindOf(info), sightOf(info), this.record.result ?? '', reason(this.record.reason), length];
    return h(
      'div',
      { class: 'headline' },
      h('h1', null, h('bdi', null, shown(info.white.name)), ' – ', h('bdi', null, shown(info.black.name))),
      h('p', { class: 'muted' }, facts.filter(Boolean).join(' · ')),
    );
  }

  private downloads(): HTMLElement {
    const file = (kind: string, label: string): HTMLElement =>
      a(`/api/games/${this.id}/${kind}`, [icon('down'), label], {
        class: 'button slim',
        download: `foglight-${this.id}.${kind}`,
      });
    return h(
      'div',
      { class: 'row' },
      file('pgn', 'PGN'),
      file('json', 'JSON'),
      button([icon('link'), 'Share (link to this move)'], () => void this.copy(), { class: 'button slim' }),
      this.record.reveal ? a(`/fair/${this.id}`, 'Verify the dice', { class: 'button slim' }) : null,
    );
  }

  private async loadReview(side: Side): Promise<void> {
    const tell = (review: ReviewDto | string): void => {
      this.reviews.set(side, review);
      if (!this.closed) this.render();
    };
    tell('Analysing…');
    const review = await fetchReview(this.id, side, this.record.reason, tell, () => !this.closed);
    tell(review ?? 'No review of this game.');
  }

  private get review(): ReviewDto | null {
    const review = this.reviews.get(this.side);
    return typeof review === 'object' ? review : null;
  }

  private render(): void {
    const { replay, review, side } = this;
    const row = rowOf(replay);
    this.trio.show({
      white: row.white,
      black: row.black,
      truth: row.truth,
      eye: replay.eye,
      bottom: this.bottom,
      last: row.move ? [row.move.slice(0, 2), row.move.slice(2, 4)] : [],
      alarm: this.lossHere()?.square ?? null,
      check: this.record.info.game === 'chess' ? checkedAfter(row.san, row.by, readView(row.truth)) : null,
      loser: side,
      heat: this.heat(),
      arrows: this.arrows(),
      you: this.you,
    });
    this.slider.value = String(replay.ply);
    this.slider.setAttribute('aria-valuetext', this.sentence());
    say(this.where, this.sentence());
    this.renderBelief();
    const marks = review ? marksOf(review) : new Map<number, string>();
    this.list.show(
      this.items.map((item) => ({ ...item, mark: marks.get(item.ply) ?? '' })),
      replay.ply,
    );
    this.renderCurve();
    this.panel.show({
      game: this.record.info.game,
      side,
      you: this.you,
      review: this.reviews.get(side) ?? 'Analysing…',
      move: review ? judgedAt(review, replay.ply) : undefined,
      loss: this.lossHere(),
      nameOf: (ply) => nameOf(this.items, ply),
    });
    this.heatButton.setAttribute('aria-pressed', String(this.map));
    history.replaceState(null, '', link(this.id, replay));
  }

  private get bottom(): Side {
    const side = this.you ?? 'white';
    return this.flipped ? other(side) : side;
  }

  private sentence(): string {
    const row = rowOf(this.replay);
    if (!row.move || !row.by) return 'Start of the game';
    const rolled = row.roll ? ` · rolled ${[...row.roll].map(pieceName).join(', ')}` : '';
    const observer = row.by === 'white' ? 'Black' : 'White';
    const seen = this.foggy && row.sighting ? ` · ${observer} ${SIGHTINGS[row.sighting] ?? ''}` : '';
    return `${nameOf(this.items, row.ply) ?? row.move}${rolled}${seen}`;
  }

  private renderCurve(): void {
    const { review } = this;
    if (!review || review.moves.length < 2) return fill(this.curve);
    const { known, truth } = curves(review);
    const who = this.side === 'white' ? 'White' : 'Black';
    const view = { name: this.side === this.you ? 'Your view' : `${who}’s view`, points: known, look: 'known' };
    const lines = this.foggy ? [view, { name: 'Full information', points: truth, look: 'truth' }] : [view];
    fill(
      this.curve,
      plot(lines, `Advantage of ${who}`, {
        at: this.replay.ply,
        pick: (ply) => this.go(ply),
        span: 2,
        domain: [0, this.replay.rows.length - 1],
      }),
    );
  }

  private pick(side: Side): void {
    this.side = side;
    if (!this.reviews.has(side)) void this.loadReview(side);
    this.render();
    this.panel.focusSide();
  }

  private lossHere(): LostPieceDto | undefined {
    return this.review ? lossAt(this.review, this.replay.ply) : undefined;
  }

  private arrows(): Arrow[] {
    const { review } = this;
    const here = this.lossHere();
    if (!review) return [];
    if (here)
      return here.takers
        .filter((t) => t.chance >= 0.03)
        .map((t) => ({ from: t.from, to: here.square, weight: t.chance, kind: 'bad' }));
    const move = judgedAt(review, this.replay.ply);
    if (!move?.best || !isFault(move.verdict)) return [];
    return move.best
      .split(' ')
      .map((uci) => ({ from: uci.slice(0, 2), to: uci.slice(2, 4), weight: 0.7, kind: 'good' }));
  }

  private heat(): { eye: Perspective; map: ReturnType<typeof warmth> } | null {
    const row = this.map ? this.beliefs.get(this.side)?.rows.get(this.replay.ply) : undefined;
    return row?.heat ? { eye: this.side, map: warmth(row.heat, readView(rowOf(this.replay).truth).size) } : null;
  }

  /** Turns the heat map on, with the view to which it belongs, or off. */
  private belief(): void {
    if (!this.foggy) return;
    this.map = !this.map;
    if (this.map) this.replay = look(this.replay, this.side);
    this.render();
  }

  /** Shows the number of possible positions, and fetches the part of the game around this ply. */
  private renderBelief(): void {
    const { side, replay } = this;
    this.believed.hidden = !this.map;
    if (!this.map) return;
    if (seesAll(this.record.info, side))
      return say(this.believed, `${side === 'white' ? 'White' : 'Black'} saw everything.`);
    const beliefs = this.beliefs.get(side) ?? noBeliefs;
    const part = wanted(beliefs, replay.ply);
    if (part !== null) void this.loadBelief(side, part);
    say(this.believed, told(beliefs, replay.ply, side, this.loading > 0));
  }

  private async loadBelief(side: Side, from: number): Promise<void> {
    const { info, rows } = this.record;
    this.beliefs.set(side, asking(this.beliefs.get(side) ?? noBeliefs, from));
    this.loading += 1;
    const moves = rows.flatMap((row) => (row.move ? [row.move] : []));
    const start = info.start === 'startpos' ? null : info.start;
    try {
      const answer = await post<BeliefPart>('/api/study/belief', {
        game: info.game,
        rules: info.rules,
        start,
        moves,
        side,
        from,
      } satisfies LineRequest);
      this.beliefs.set(side, arrived(this.beliefs.get(side) ?? noBeliefs, answer.rows));
    } catch (error) {
      this.shell.toast(error instanceof Error ? error.message : String(error));
    }
    this.loading -= 1;
    if (!this.closed) this.render();
  }

  private go(ply: number): void {
    this.replay = go(this.replay, ply);
    this.render();
  }

  private look(eye: Perspective): void {
    this.replay = look(this.replay, eye);
    this.render();
  }

  private async copy(): Promise<void> {
    await navigator.clipboard?.writeText(location.origin + link(this.id, this.replay)).catch(() => undefined);
    this.shell.toast('The link to this move and view is copied.');
  }

  command(command: Command): boolean {
    const { ply, rows } = this.replay;
    switch (command) {
      case 'back':
        return (this.go(ply - 1), true);
      case 'forward':
        return (this.go(ply + 1), true);
      case 'first':
        return (this.go(0), true);
      case 'last':
        return (this.go(rows.length - 1), true);
      case 'white':
      case 'black':
      case 'truth':
        return (this.look(command), true);
      case 'flip':
        this.flipped = !this.flipped;
        return (this.render(), true);
      case 'belief':
        return (this.belief(), true);
      case 'why':
        return (this.nextLoss(), true);
      default:
        return false;
    }
  }

  /** `w` goes to the next loss. */
  private nextLoss(): void {
    const losses = this.review?.losses ?? [];
    const next = losses.find((loss) => loss.ply + 1 > this.replay.ply) ?? losses[0];
    if (next) this.go(next.ply + 1);
    else this.shell.toast('No piece was lost.');
  }
}

export async function replay(shell: Shell, id: string, query: URLSearchParams): Promise<Page> {
  const record = await get<RecordAnswer>(`/api/games/${id}/record`);
  const asked = await get<AskedGame>(`/api/games/${id}`).catch(() => null);
  const page = new ReplayPage(shell, id, record, asked?.you ?? null, query);
  return {
    title: 'Game review',
    element: page.element,
    command: (command) => page.command(command),
    close: () => page.close(),
  };
}
