import { expect, it, vi } from 'vitest';

const started: object[] = [];
const close = vi.fn<() => void>();
class FakeSocket {
  url: string;
  constructor(url: string) {
    this.url = url;
  }
  close = close;
}
vi.stubGlobal('WebSocket', FakeSocket);
let socket: FakeSocket | undefined;
class Builder {
  withUrl(_url: string, options: { WebSocket: typeof FakeSocket }) {
    socket = new options.WebSocket('wss://portal.example');
    return this;
  }
  configureLogging = () => this;
  build = () => ({
    on: () => undefined,
    onclose: () => undefined,
    stop: () => Promise.resolve(),
    start() {
      started.push({ ...this });
      return Promise.resolve();
    },
  });
}
vi.mock('@microsoft/signalr', () => ({
  HubConnectionBuilder: Builder,
  HttpTransportType: {},
  LogLevel: {},
}));
vi.mock('../api/token-refresh.ts', () => ({ freshToken: () => Promise.resolve('x') }));
vi.stubGlobal('window', { location: { origin: 'https://portal.example' } });
const { connectHub } = await import('./connect-hub.ts');

it('uses a server timeout of 30 s and sends a ping every 15 s (specification §9)', async () => {
  const attempt = new AbortController();
  await connectHub('/hubs/request', {}, () => undefined, attempt.signal);
  expect(started).toEqual([
    expect.objectContaining({
      serverTimeoutInMilliseconds: 30_000,
      keepAliveIntervalInMilliseconds: 15_000,
    }),
  ]);
  expect(socket?.url).toBe('wss://portal.example');
  // An attempt that is given up holds up no other one.
  expect(close).not.toHaveBeenCalled();
  attempt.abort();
  expect(close).toHaveBeenCalledOnce();
});
