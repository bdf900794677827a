/** A player's bar beside the board: name, captured pieces, clock. */

import { left, written, type Clocks } from '../state/clock.ts';
import { shown } from '../state/names.ts';
import type { Side } from '../state/squares.ts';
import type { Seat } from '../state/wire.ts';
import { fill, h, say } from './dom.ts';
import { pieceImage } from './piece.ts';

const ORDER = 'qrbnpk';

export class PlayerBar {
  readonly root = h('div', { class: 'strip' });
  private readonly dot = h('span', { class: 'dot', 'aria-hidden': 'true' });
  private readonly label = h('span', { class: 'name' });
  private readonly detail = h('span', { class: 'muted small detail' });
  private readonly men = h('span', { class: 'men' });
  private readonly clock = h('span', { class: 'clock', role: 'timer' });
  private key = '';

  constructor() {
    this.root.append(this.dot, h('span', { class: 'who' }, this.label, this.detail), this.men, this.clock);
  }

  seat(seat: Seat, side: Side, you: boolean, online: boolean | null, all = false): void {
    this.root.dataset['side'] = side;
    const away = online === false && seat.kind === 'person';
    this.root.dataset['online'] = away ? 'no' : 'yes';
    say(this.label, shown(seat.name) + (you ? ' (you)' : ''));
    const parts = [seat.rating ? String(Math.round(seat.rating)) : '', all ? 'full vision' : '', away ? 'away' : ''];
    say(this.detail, parts.filter(Boolean).join(' · '));
    this.label.title = seat.agent ?? '';
  }

  /** The pieces that this player has captured, as far as the viewer knows. */
  taken(pieces: readonly string[]): void {
    const sorted = [...pieces].sort((a, b) => ORDER.indexOf(a.toLowerCase()) - ORDER.indexOf(b.toLowerCase()));
    const key = sorted.join('');
    if (key === this.key) return;
    this.key = key;
    fill(
      this.men,
      sorted.map((piece) => pieceImage(piece)),
    );
  }

  tick(clocks: Clocks | null, side: Side, now: number): void {
    this.clock.hidden = !clocks;
    if (!clocks) return;
    const ms = left(clocks, side, now);
    this.clock.classList.toggle('runs', clocks.running === side);
    this.clock.classList.toggle('low', ms < 20_000);
    const text = written(ms);
    if (this.clock.textContent !== text) this.clock.textContent = text;
  }

  turn(active: boolean): void {
    this.root.classList.toggle('active', active);
  }
}
