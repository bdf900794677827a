/** The connection to a game: connects, sends hello, and reconnects after a break. */

import { token } from './api.ts';
import { dropped, fresh, opened, wait, type Link } from './state/link.ts';
import type { Message, ClientMessage } from './state/wire.ts';

export interface Listener {
  message: (message: Message) => void;
  /** Connection status; `final` gives the reason if there is no reconnection. */
  status: (connected: boolean, final: string | null) => void;
  /** The last version the page has. */
  version: () => number | null;
}

export class Socket {
  private socket: WebSocket | null = null;
  private link: Link = fresh();
  private timer = 0;
  private beat = 0;
  private over = false;

  constructor(
    private readonly game: string,
    private readonly listener: Listener,
  ) {
    this.connect();
    addEventListener('online', this.soon);
  }

  /** Sends a message; false if not connected. */
  send(said: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(said));
    return true;
  }

  close(): void {
    this.over = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    removeEventListener('online', this.soon);
    this.socket?.close();
  }

  private readonly soon = (): void => {
    if (this.link.closed && !this.over) this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.game)}`);
    this.socket = socket;
    socket.onopen = () => {
      this.link = opened();
      this.send({ t: 'hello', d: { token: token(), v: this.listener.version() } });
      this.listener.status(true, null);
      clearInterval(this.beat);
      this.beat = window.setInterval(() => this.send({ t: 'ping', d: {} }), 25_000);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.listener.message(JSON.parse(event.data) as Message);
    socket.onclose = (event) => {
      if (this.over || this.socket !== socket) return;
      clearInterval(this.beat);
      this.link = dropped(this.link, event.code);
      this.listener.status(false, this.link.final);
      if (!this.link.final) this.timer = window.setTimeout(() => this.connect(), wait(this.link));
    };
  }
}
