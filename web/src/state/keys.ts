/** Keyboard commands outside of text fields. */

export type Command =
  | 'back'
  | 'forward'
  | 'first'
  | 'last'
  | 'flip'
  | 'help'
  | 'white'
  | 'black'
  | 'truth'
  | 'belief'
  | 'why'
  | 'roll'
  | 'type'
  | 'read'
  | 'escape';

const KEYS: Record<string, Command> = {
  ArrowLeft: 'back',
  k: 'back',
  ArrowRight: 'forward',
  j: 'forward',
  Home: 'first',
  End: 'last',
  f: 'flip',
  '?': 'help',
  '1': 'white',
  '2': 'black',
  '3': 'truth',
  b: 'belief',
  w: 'why',
  ' ': 'roll',
  m: 'type',
  v: 'read',
  Escape: 'escape',
};

interface Stroke {
  key: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
}

/** The command of a key; combinations with modifiers belong to the browser. */
export function commandOf(stroke: Stroke): Command | null {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return null;
  return KEYS[stroke.key] ?? null;
}

/** The list for the help page. */
export const HELP: readonly [string, string][] = [
  ['← or k, → or j', 'previous move, next move'],
  ['Home, End', 'first move, last move'],
  ['f', 'flip board'],
  ['1, 2, 3', "White's view, Black's view, full board (after the game)"],
  ['b', 'heat map: where pieces may be (hints, review, analysis)'],
  ['w', 'what captured my piece? (after the game)'],
  ['space', 'roll the dice'],
  ['m', 'type a move: e4, Nf3, e2e4, e8=N, O-O'],
  ['v', 'read the view aloud (screen readers)'],
  ['Tab to the board', 'arrow keys move a cursor, Enter picks up and puts down, p marks a guess'],
  ['right-drag', 'draw an arrow; right-click on fog marks a guessed piece'],
  ['?', 'this help'],
];
