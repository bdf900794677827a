/** Names of people are shown as text, without characters that could disguise them. */

/** Control, zero-width and direction marks. CSS isolates the direction of a name. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export function shown(name: string | null | undefined, fallback = 'open seat'): string {
  const plain = (name ?? '').replace(HIDDEN, '').trim();
  return plain === '' ? fallback : [...plain].slice(0, 30).join('');
}
