/**
 * The sound of an event. A sound must not reveal more than the view: one
 * neutral sound for every move of the opponent, and the capture sound only
 * when this player captures or loses a piece.
 */

import type { Side } from './squares.ts';
import type { Message } from './wire.ts';

export type Sound = 'own' | 'other' | 'capture' | 'roll' | 'end' | 'notice';

export function soundOf(message: Message, me: Side | null): Sound | null {
  switch (message.t) {
    case 'move': {
      const { entry } = message.d;
      if (entry.lost || (entry.by === me && entry.took)) return 'capture';
      return entry.by === me ? 'own' : 'other';
    }
    case 'live':
      return 'other';
    case 'roll':
      return 'roll';
    case 'end':
      return 'end';
    case 'draw':
      return message.d.state === 'offered' && message.d.by !== me ? 'notice' : null;
    case 'joined':
      return 'notice';
    default:
      return null;
  }
}
