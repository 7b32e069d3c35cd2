// Follows one stream of the live feed: numbered messages, none missed unnoticed (docs/live.md has the rules).

import { readToken } from "../app/session";
import { Store } from "../app/store";

export type Connection = "connecting" | "live" | "away";

export interface LiveMessage {
  type: string;
  sequence: number;
  requires_ack: boolean;
  data: Record<string, unknown>;
  replay?: boolean;
  redelivery?: number;
  prev?: number;
}

type Frame = { type: string } & Record<string, unknown>;

export interface Follower {
  message: (message: LiveMessage) => unknown;
  /** Something may have been missed that cannot be replayed: load afresh. */
  gap: () => void;
}

const SLOWEST_RETURN_MS = 30_000;
const POLICY_VIOLATION = 1008;

export class LiveStream {
  readonly connection = new Store<Connection>("connecting");
  readonly sequence = new Store(0);
  private readonly followers = new Set<Follower>();
  private readonly seen = new Set<number>();
  private socket: WebSocket | null = null;
  private epoch = "";
  private hasPosition = false;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly name: string,
    private readonly clientId: string | null = null,
  ) {
    addEventListener("online", () => this.returnNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.returnNow());
  }

  follow(follower: Follower): () => void {
    this.followers.add(follower);
    if (this.socket === null && this.timer === undefined) this.connect();
    return () => this.followers.delete(follower);
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.connection.set(this.attempts === 0 ? "connecting" : "away");
    const address = new URL(`/ws/${this.name}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.clientId !== null) address.searchParams.set("client_id", this.clientId);
    if (this.hasPosition) {
      address.searchParams.set("last_sequence", String(this.sequence.value));
      address.searchParams.set("epoch", this.epoch);
    }
    const token = readToken();
    const socket = new WebSocket(address, token === null ? [] : ["sightline", `bearer.${token}`]);
    this.socket = socket;
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Frame);
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.connection.set("away");
      this.attempts = event.code === POLICY_VIOLATION ? Math.max(this.attempts, 5) : this.attempts;
      // With chance in it, so that not everybody returns at once to a server that has just come back.
      const pause = Math.min(SLOWEST_RETURN_MS, 500 * 2 ** this.attempts) * (0.5 + Math.random());
      this.attempts += 1;
      this.timer = setTimeout(() => this.connect(), pause);
    };
  }

  private returnNow(): void {
    if (this.timer === undefined) return;
    this.connect();
  }

  private hear(frame: Frame): void {
    if (typeof frame.sequence === "number" && "requires_ack" in frame) {
      this.hearNumbered(frame as unknown as LiveMessage);
      return;
    }
    const data = (frame.data ?? frame) as Record<string, unknown>;
    switch (frame.type) {
      case "hello":
        this.attempts = 0;
        this.connection.set("live");
        this.epoch = String(data.epoch);
        if (!this.hasPosition) this.sequence.set(Number(data.sequence));
        this.hasPosition = true;
        break;
      case "gap":
        this.sequence.set(Number(data.sequence));
        if (typeof data.epoch === "string") this.epoch = data.epoch;
        for (const one of [...this.followers]) one.gap();
        break;
      case "ping":
        this.send({ type: "pong" });
        if (Number(data.lastSeq) > this.sequence.value) this.resume();
        break;
    }
  }

  private hearNumbered(message: LiveMessage): void {
    if (message.requires_ack && this.clientId !== null) this.send({ type: "ack", sequence: message.sequence });
    if (message.redelivery !== undefined) {
      if (!this.seen.has(message.sequence)) this.tell(message);
      return;
    }
    if (message.sequence <= this.sequence.value) return;
    if ((message.prev ?? message.sequence - 1) > this.sequence.value) return this.resume();
    this.sequence.set(message.sequence);
    this.tell(message);
  }

  private tell(message: LiveMessage): void {
    this.seen.add(message.sequence);
    for (const one of [...this.followers]) one.message(message);
  }

  private resume(): void {
    this.send({ type: "resume", last_sequence: this.sequence.value, epoch: this.epoch });
  }

  private send(frame: Frame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
