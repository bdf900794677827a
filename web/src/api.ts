/** Requests to the server. */

import type { NewAccount, Refused, TokenRequest } from './state/wire.ts';

const TOKEN = 'foglight.token';

/** The player's token: in this browser's storage and in headers, never in a URL. */
export const token = (): string | null => localStorage.getItem(TOKEN);
export const keepToken = (value: string | null | undefined): void => {
  if (value) localStorage.setItem(TOKEN, value);
};

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  const mine = token();
  if (mine) headers['Authorization'] = `Bearer ${mine}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const payload = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(path, { method, headers, body: payload }).catch(() => {
    throw new Refusal(0, 'The server does not answer.');
  });
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as Partial<Refused>;
  throw new Refusal(response.status, said.error ?? `The server answered ${response.status}.`);
}

export const get = async <T>(path: string): Promise<T> => (await send('GET', path)).json() as Promise<T>;
export const post = async <T>(path: string, body: unknown = {}): Promise<T> =>
  (await send('POST', path, body)).json() as Promise<T>;

/** As `get`, with the status: 202 means that the response is still being computed. */
export async function ask<T>(path: string): Promise<{ status: number; body: T }> {
  const response = await send('GET', path);
  return { status: response.status, body: (await response.json()) as T };
}

/** Returns the player's token, created on first use. */
export async function identify(name?: string): Promise<void> {
  if (token() && name === undefined) return;
  const made = await post<NewAccount>('/api/token', { name } satisfies TokenRequest);
  keepToken(made.token);
}
