import { expect, it, vi } from 'vitest';

const started: object[] = [];
class Builder {
  withUrl = () => this;
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
  await connectHub('/hubs/request', {}, () => undefined);
  expect(started).toEqual([
    expect.objectContaining({
      serverTimeoutInMilliseconds: 30_000,
      keepAliveIntervalInMilliseconds: 15_000,
    }),
  ]);
});
