import { afterEach, beforeEach, vi } from 'vitest';

/** The end of a message in the JSON protocol of SignalR. */
const separator = '\u001E';

const realWebSocket = window.WebSocket;
let open = new Map<string, FakeHub>();

/** A hub that accepts connections. `send` and `close` act on all of them. */
interface FakeHub {
  connections: Set<FakeSocket>;
  /** The calls of the clients, with their first argument. */
  calls: { method: string; argument: unknown }[];
  send: (event: string, sequence: number) => void;
  /** Ends the connections and refuses new ones. */
  close: () => void;
}

/** The part of a WebSocket that the client of the hubs uses. */
class FakeSocket {
  onopen?: () => void;
  onclose?: (event: object) => void;
  onerror?: (event: object) => void;
  onmessage?: (event: { data: string }) => void;
  readonly hub: FakeHub | undefined;
  constructor(url: string) {
    this.hub = open.get(new URL(url).pathname);
    queueMicrotask(() => (this.hub ? this.onopen?.() : this.end()));
  }
  send(text: string): void {
    const { target, arguments: args } = JSON.parse(text.replaceAll(separator, '')) as {
      target?: string;
      arguments?: unknown[];
    };
    if (target) this.hub?.calls.push({ method: target, argument: args?.[0] });
    if (!text.includes('"protocol"')) return;
    this.hub?.connections.add(this);
    this.receive({});
  }
  receive(message: object): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) + separator }));
  }
  end(): void {
    this.hub?.connections.delete(this);
    queueMicrotask(() => this.onclose?.({ code: 1013, reason: '', wasClean: false }));
  }
  close(): void {
    this.end();
  }
}

/** Lets pages connect to a hub until the end of the test; without it the hub refuses them. */
export function openHub(path: string): FakeHub {
  const connections = new Set<FakeSocket>();
  const hub: FakeHub = {
    connections,
    calls: [],
    send: (event, sequence) => {
      for (const socket of connections)
        socket.receive({ type: 1, target: event, arguments: [{ sequence }] });
    },
    close: () => {
      open.delete(path);
      for (const socket of connections) socket.end();
    },
  };
  open.set(path, hub);
  return hub;
}

/** Answers connections to hubs by the test instead of the network. */
export function answerHubsInTests(): void {
  beforeEach(() => {
    open = new Map();
    // A constructor may return another object, as this one does for the connections of vitest.
    vi.stubGlobal('WebSocket', function WebSocket(url: string, protocols?: string | string[]) {
      return new URL(url).pathname.startsWith('/hubs/')
        ? new FakeSocket(url)
        : new realWebSocket(url, protocols);
    });
  });
  afterEach(() => vi.unstubAllGlobals());
}
