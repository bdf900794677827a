/** The terms of a game in one line: kind, time control, rated or not, odds. */

import { clockName, kindOf } from './options.ts';
import { sightOf } from './sight.ts';
import type { Side } from './squares.ts';
import type { GameInfo } from './wire.ts';

/** `joining` adds the colour of the free seat. */
export function termsOf(info: GameInfo, you: Side | null, joining = false): string {
  const parts = [
    kindOf(info),
    clockName(info.clock),
    info.practice ? 'Hints on' : info.rated ? 'Rated' : 'Casual',
    sightOf(info, you),
    joining ? `you play ${info.white.kind === 'open' ? 'White' : 'Black'}` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
