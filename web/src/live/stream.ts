// A subscription to one stream of the live feed: numbered messages, gaps detected (docs/live.md).

import { Store } from "../core/store";
import { RecentNumbers } from "./recent_numbers";

export type Connection = "connecting" | "live" | "offline";

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

export interface Subscriber {
  message: (message: LiveMessage) => unknown;
  /** Messages were lost and cannot be replayed: reload everything. */
  gap: () => void;
}

const MAX_RECONNECT_DELAY_MS = 30_000;
const POLICY_VIOLATION = 1008;
/** The server asks to connect again: it was reset, or the person sees other things now. */
const CONNECT_AGAIN = 1012;
/** Redeliveries follow within minutes; older messages are not redelivered. */
const MAX_REMEMBERED = 1000;

export class LiveStream {
  readonly connection = new Store<Connection>("connecting");
  readonly sequence = new Store(0);
  private readonly subscribers = new Set<Subscriber>();
  private readonly delivered = new RecentNumbers(MAX_REMEMBERED);
  private socket: WebSocket | null = null;
  private epoch = "";
  private hasSequence = false;
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly name: string,
    private readonly clientId: string | null = null,
  ) {
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.reconnectNow());
  }

  subscribe(subscriber: Subscriber): () => void {
    this.subscribers.add(subscriber);
    if (this.socket === null && this.timer === undefined) this.connect();
    return () => this.subscribers.delete(subscriber);
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.connection.set(this.attempts === 0 ? "connecting" : "offline");
    const address = new URL(`/ws/${this.name}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.clientId !== null) address.searchParams.set("client_id", this.clientId);
    if (this.hasSequence) {
      address.searchParams.set("last_sequence", String(this.sequence.value));
      address.searchParams.set("epoch", this.epoch);
    }
    const socket = new WebSocket(address); // The browser adds the cookie of the session.
    this.socket = socket;
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as Frame);
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      const isAsked = event.code === CONNECT_AGAIN && this.connection.value === "live";
      this.connection.set(isAsked ? "connecting" : "offline");
      this.attempts = event.code === POLICY_VIOLATION ? Math.max(this.attempts, 5) : this.attempts;
      // The random factor spreads the reconnects of many clients after a restart.
      const pause = Math.min(MAX_RECONNECT_DELAY_MS, 500 * 2 ** this.attempts) * (0.5 + Math.random());
      if (!isAsked) this.attempts += 1;
      this.timer = setTimeout(() => this.connect(), pause);
    };
  }

  private reconnectNow(): void {
    if (this.timer === undefined) return;
    this.connect();
  }

  private receive(frame: Frame): void {
    if (typeof frame.sequence === "number" && "requires_ack" in frame) {
      this.receiveNumbered(frame as unknown as LiveMessage);
      return;
    }
    const data = (frame.data ?? frame) as Record<string, unknown>;
    switch (frame.type) {
      case "hello":
        this.attempts = 0;
        this.connection.set("live");
        this.epoch = String(data.epoch);
        if (!this.hasSequence) this.sequence.set(Number(data.sequence));
        this.hasSequence = true;
        break;
      case "gap":
        this.sequence.set(Number(data.sequence));
        if (typeof data.epoch === "string") this.epoch = data.epoch;
        for (const item of [...this.subscribers]) item.gap();
        break;
      case "ping":
        this.send({ type: "pong" });
        if (Number(data.lastSeq) > this.sequence.value) this.resume();
        break;
    }
  }

  private receiveNumbered(message: LiveMessage): void {
    if (message.requires_ack && this.clientId !== null) this.send({ type: "ack", sequence: message.sequence });
    if (message.redelivery !== undefined) {
      if (!this.delivered.has(message.sequence)) this.deliver(message);
      return;
    }
    if (message.sequence <= this.sequence.value) return;
    if ((message.prev ?? message.sequence - 1) > this.sequence.value) {
      this.resume();
      return;
    }
    this.sequence.set(message.sequence);
    this.deliver(message);
  }

  private deliver(message: LiveMessage): void {
    this.delivered.add(message.sequence);
    for (const item of [...this.subscribers]) item.message(message);
  }

  private resume(): void {
    this.send({ type: "resume", last_sequence: this.sequence.value, epoch: this.epoch });
  }

  private send(frame: Frame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
