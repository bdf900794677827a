/** Reconnection logic without a socket: when to retry, and with what. */

export interface Link {
  tries: number;
  closed: boolean;
  /** Reason why there is no further retry. */
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

/** Milliseconds before the next retry: 0.3 s, doubling to 5 s. */
export const wait = (link: Link): number => Math.min(5000, 300 * 2 ** Math.max(0, link.tries - 1));
