/** A finished game: three synchronised boards, the value curve, a review of every move, every loss explained. */

import { ask, get, post } from '../api.ts';
import { arrived, asking, noBeliefs, told, wanted, type Beliefs } from '../state/belief.ts';
import { warmth } from '../state/heat.ts';
import type { Command } from '../state/keys.ts';
import { shown } from '../state/names.ts';
import { reason } from '../state/notation.ts';
import { go, link, look, numbered, open, rowOf, type Perspective, type Replay } from '../state/replay.ts';
import { curves, explanation, isFault, judgedAt, judgement, lossAt, marksOf, summary } from '../state/review.ts';
import { other, type Side } from '../state/squares.ts';
import { readView } from '../state/view.ts';
import { seesAll, sightOf } from '../state/sight.ts';
import type {
  AskedGame,
  BeliefPart,
  RecordAnswer,
  LineRequest,
  LostPieceDto,
  ReviewDto,
  ReviewAnswer,
} from '../state/wire.ts';
import type { Arrow } from '../ui/board.ts';
import { choices } from '../ui/controls.ts';
import { a, button, fill, h, say } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { MoveList } from '../ui/movelist.ts';
import { plot } from '../ui/plot.ts';
import type { Page, Shell } from '../ui/shell.ts';
import { TripleBoard } from '../ui/triple-board.ts';

class ReplayPage {
  readonly element = h('div', { class: 'replay' });
  private replay: Replay;
  private side: Side;
  private flipped = false;
  private readonly reviews = new Map<Side, ReviewDto>();
  private readonly beliefs = new Map<Side, Beliefs>();
  private loading = 0;
  private map = false;
  private closed = false;
  private readonly trio = new TripleBoard((eye) => this.look(eye));
  private readonly list = new MoveList((ply) => this.go(ply));
  private readonly slider: HTMLInputElement;
  private readonly where = h('p', { class: 'where', 'aria-live': 'polite' });
  private readonly believed = h('p', { class: 'muted small believed', 'aria-live': 'polite', hidden: true });
  private readonly eyes = h('div', { class: 'eyes' });
  private readonly curve = h('div', { class: 'curve-box' });
  private readonly judged = h('section', { class: 'panel judged', 'aria-label': 'Judgement' });
  private readonly why = h('section', { class: 'panel why', 'aria-label': 'Why did I lose it?' });

  constructor(
    private readonly shell: Shell,
    private readonly id: string,
    private readonly record: RecordAnswer,
    private readonly you: Side | null,
    query: URLSearchParams,
  ) {
    this.replay = open(record, query);
    this.side = you ?? (record.info.white.kind === 'agent' && record.info.black.kind !== 'agent' ? 'black' : 'white');
    this.slider = h('input', {
      type: 'range',
      class: 'slider',
      min: 0,
      max: record.rows.length - 1,
      'aria-label': 'Ply',
      on: { input: () => this.go(Number(this.slider.value)) },
    });
    this.layout();
    this.render();
    this.load();
  }

  close(): void {
    this.closed = true;
    this.trio.destroy();
  }

  private layout(): void {
    const { info } = this.record;
    const step = (name: string, command: Command, label: string): HTMLElement =>
      button(icon(name), () => void this.command(command), { class: 'tool', 'aria-label': label, title: label });
    this.element.append(
      h(
        'div',
        { class: 'stage' },
        h(
          'div',
          { class: 'headline' },
          h('h1', null, h('bdi', null, shown(info.white.name)), ' – ', h('bdi', null, shown(info.black.name))),
          h(
            'p',
            { class: 'muted' },
            [
              `${info.game}${info.rules ? `, ${info.rules}` : ''}`,
              sightOf(info),
              this.record.result ?? '',
              reason(this.record.reason),
            ]
              .filter(Boolean)
              .join(' · '),
          ),
        ),
        this.eyes,
        this.trio.root,
        h(
          'div',
          { class: 'transport' },
          h(
            'div',
            { class: 'steps' },
            step('first', 'first', 'First ply (Home)'),
            step('back', 'back', 'One back (←)'),
            step('forward', 'forward', 'One on (→)'),
            step('last', 'last', 'Last ply (End)'),
            step('flip', 'flip', 'Turn the boards (f)'),
          ),
          this.slider,
        ),
        this.where,
        this.believed,
        this.curve,
      ),
      h('aside', { class: 'side' }, this.list.root, this.judged, this.why, this.downloads()),
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
      button([icon('link'), 'Link to this moment'], () => void this.copy(), { class: 'button slim' }),
      this.record.reveal ? a(`/fair/${this.id}`, 'Check the dice', { class: 'button slim' }) : null,
    );
  }

  private load(): void {
    fill(this.judged, h('h3', null, 'Judgement'), h('p', { class: 'muted' }, 'Thinking about the game…'));
    void this.loadReview(this.side);
  }

  /** The server computes the review; until it is done the page shows its progress. */
  private async loadReview(side: Side): Promise<void> {
    while (!this.closed && !this.reviews.has(side)) {
      const answer = await ask<ReviewAnswer>(`/api/games/${this.id}/review?side=${side}`).catch(() => null);
      if (!answer) return fill(this.judged, h('p', { class: 'muted' }, 'No review of this game.'));
      if (answer.body.status === 'done') this.reviews.set(side, answer.body);
      else {
        if (side === this.side)
          fill(
            this.judged,
            h('h3', null, 'Judgement'),
            h('p', { class: 'muted' }, `Thinking about move ${answer.body.done} of ${answer.body.of}…`),
          );
        await new Promise((done) => setTimeout(done, 700));
      }
    }
    if (!this.closed) this.render();
  }

  private render(): void {
    const { replay } = this;
    const row = rowOf(replay);
    this.trio.show({
      white: row.white,
      black: row.black,
      truth: row.truth,
      layout: replay.layout,
      eye: replay.eye,
      bottom: this.bottom,
      last: row.move ? [row.move.slice(0, 2), row.move.slice(2, 4)] : [],
      alarm: this.lossHere()?.square ?? null,
      loser: this.side,
      heat: this.heat(),
      arrows: this.arrows(),
      you: this.you,
    });
    this.slider.value = String(replay.ply);
    this.slider.setAttribute('aria-valuetext', this.sentence());
    say(this.where, this.sentence());
    this.renderBelief();
    const marks = this.reviews.get(this.side) ? marksOf(this.reviews.get(this.side)!) : new Map<number, string>();
    this.list.show(
      numbered(replay.rows).map((m) => ({ ply: m.ply, by: m.by, text: m.text, mark: marks.get(m.ply) ?? '' })),
      replay.ply,
    );
    this.renderEyes();
    this.renderCurve();
    this.renderJudged();
    this.renderWhy();
    history.replaceState(null, '', link(this.id, replay));
  }

  private get bottom(): Side {
    const side = this.you ?? 'white';
    return this.flipped ? other(side) : side;
  }

  private sentence(): string {
    const row = rowOf(this.replay);
    const last = this.replay.rows.length - 1;
    if (!row.move) return `Start of ${last} plies.`;
    const seen = row.sighting ? `, to the other side ${row.sighting}` : '';
    return `Ply ${row.ply} of ${last}: ${row.by === 'white' ? 'White' : 'Black'} ${row.san ?? row.move}${row.roll ? ` after ${row.roll}` : ''}${seen}.`;
  }

  private renderEyes(): void {
    const { replay } = this;
    const value = replay.layout === 'three' ? 'three' : replay.eye;
    fill(
      this.eyes,
      choices(
        'eye',
        'View',
        [
          { value: 'three', label: 'All three' },
          { value: 'white', label: 'White (1)' },
          { value: 'black', label: 'Black (2)' },
          { value: 'truth', label: 'Truth (3)' },
        ],
        value,
        (eye: Perspective | 'three') => {
          this.replay = eye === 'three' ? { ...this.replay, layout: 'three' } : look(this.replay, eye);
          this.render();
          this.eyes.querySelector<HTMLInputElement>('input:checked')?.focus();
        },
      ),
      this.record.info.game === 'fog'
        ? button([icon('heat'), 'Belief (b)'], () => this.belief(), {
            class: 'button slim',
            'aria-pressed': String(this.map),
          })
        : null,
    );
  }

  private renderCurve(): void {
    const review = this.reviews.get(this.side);
    if (!review || review.moves.length < 2) return fill(this.curve);
    const { known, truth } = curves(review);
    const who = this.side === 'white' ? 'White' : 'Black';
    fill(
      this.curve,
      plot(
        [
          { name: `What ${who} could expect`, points: known, look: 'known' },
          { name: 'The truth', points: truth, look: 'truth' },
        ],
        `Value for ${who} over the game`,
        this.replay.ply,
        (ply) => this.go(ply),
        2,
      ),
    );
  }

  private renderJudged(): void {
    const review = this.reviews.get(this.side);
    if (!review) return;
    const move = judgedAt(review, this.replay.ply);
    fill(
      this.judged,
      h('div', { class: 'row spread' }, h('h3', null, 'By what was known'), this.sidePicker()),
      h('p', { class: 'small' }, summary(review)),
      move
        ? h(
            'div',
            { class: `verdict ${move.verdict}` },
            judgement(move).map((text) => h('p', null, text)),
          )
        : h('p', { class: 'muted small' }, `Step to one of ${this.side === 'white' ? 'White' : 'Black'}’s moves.`),
    );
  }

  private sidePicker(): HTMLElement {
    return choices(
      'judged',
      'Whose moves',
      [
        { value: 'white', label: 'White' },
        { value: 'black', label: 'Black' },
      ],
      this.side,
      (side: Side) => {
        this.side = side;
        if (!this.reviews.has(side)) this.load();
        this.render();
        this.judged.querySelector<HTMLInputElement>('input:checked')?.focus();
      },
      'segments mini',
    );
  }

  private lossHere(): LostPieceDto | undefined {
    const review = this.reviews.get(this.side);
    return review && lossAt(review, this.replay.ply);
  }

  private renderWhy(): void {
    const losses = this.reviews.get(this.side)?.losses ?? [];
    this.why.hidden = losses.length === 0;
    const here = this.lossHere();
    fill(
      this.why,
      h('h3', null, 'Why did I lose it? (w)'),
      h(
        'div',
        { class: 'row' },
        losses.map((loss) =>
          button(`${loss.piece.toUpperCase()} ${loss.square}`, () => this.go(loss.ply + 1), {
            class: `button slim ${loss === here ? 'primary' : ''}`,
          }),
        ),
      ),
      here
        ? explanation(here).map((text) => h('p', null, text))
        : h('p', { class: 'small muted' }, 'Choose a piece that was lost.'),
    );
  }

  private arrows(): Arrow[] {
    const review = this.reviews.get(this.side);
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

  private belief(): void {
    this.map = !this.map;
    this.render();
  }

  /** Shows the number of consistent positions, and fetches the part of the game around this ply. */
  private renderBelief(): void {
    const { side, replay } = this;
    this.believed.hidden = !this.map;
    if (!this.map) return;
    if (seesAll(this.record.info, side))
      return say(this.believed, `${side === 'white' ? 'White' : 'Black'} saw everything: there is nothing to believe.`);
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
    this.replay = this.replay.layout === 'one' ? { ...this.replay, layout: 'three' } : look(this.replay, eye);
    this.render();
  }

  private async copy(): Promise<void> {
    await navigator.clipboard?.writeText(location.origin + link(this.id, this.replay)).catch(() => undefined);
    this.shell.toast('The link to this ply and view is copied.');
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
        this.replay = look(this.replay, command);
        return (this.render(), true);
      case 'escape':
        this.replay = { ...this.replay, layout: 'three' };
        return (this.render(), true);
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
    const losses = this.reviews.get(this.side)?.losses ?? [];
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
    title: 'Replay',
    element: page.element,
    command: (command) => page.command(command),
    close: () => page.close(),
  };
}
