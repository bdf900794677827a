/** The socket's behaviour over time, without a socket: when to try again, and with what. */

export interface Link {
  tries: number;
  closed: boolean;
  /** Why it will not be tried again. */
  final: string | null;
}

export const fresh = (): Link => ({ tries: 0, closed: false, final: null });

const FINAL: Record<number, string> = {
  1008: 'The server closed the connection: too many messages.',
  4004: 'There is no such game.',
};

export const opened = (): Link => fresh();

export function dropped(link: Link, code: number): Link {
  return { tries: link.tries + 1, closed: true, final: FINAL[code] ?? null };
}

/** Milliseconds before the next try: 0.3 s, doubling to 5 s. */
export const wait = (link: Link): number => Math.min(5000, 300 * 2 ** Math.max(0, link.tries - 1));
