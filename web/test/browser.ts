// The parts of a browser that modules use when they are imported. Tests import this file first.

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static opened: FakeSocket[] = [];
  readonly readyState = FakeSocket.OPEN;
  readonly sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: URL) {
    super();
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  receive(frame: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const events = new EventTarget();
const stored = new Map<string, string>();

Object.assign(globalThis, {
  document: Object.assign(new EventTarget(), {
    documentElement: { lang: "en", dataset: {} },
    visibilityState: "visible",
    querySelector: () => null,
  }),
  location: { pathname: "/", search: "", href: "http://sightline.test/", protocol: "http:" },
  history: { pushState() {}, replaceState() {} },
  localStorage: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  },
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  WebSocket: FakeSocket,
});
Object.defineProperty(globalThis, "navigator", {
  value: { language: "en-US", languages: ["en-US"], onLine: true },
  configurable: true,
});

export { FakeSocket };
