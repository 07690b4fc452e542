import { beforeEach, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';

let reply: () => Response = () => jsonReply({});
const { asked } = openFakeBrowser(() => reply());
const { startPayment } = await import('./start-payment.ts');

const assign = vi.fn();
const reload = vi.fn();
const replaceState = vi.fn();
let listeners: Record<string, (event: object) => void> = {};

beforeEach(() => {
  asked.length = 0;
  listeners = {};
  for (const mock of [assign, reload, replaceState]) mock.mockReset();
  Object.assign(window, {
    location: { ...window.location, assign, reload },
    history: { replaceState },
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
  });
  window.sessionStorage.setItem('token', fakeToken(600));
  reply = () => jsonReply({ paymentUrl: 'https://pay.example/1', merchantReference: '1' });
});

it('creates a payment and leaves for the provider without resolving', async () => {
  const settled = vi.fn();
  void startPayment(7).then(settled, settled);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'));
  expect(asked.map(({ url }) => url.pathname)).toEqual(['/api/Payment/CreatePayment7']);
  expect(replaceState).not.toHaveBeenCalled();
  expect(settled).not.toHaveBeenCalled();
});

it('replaces the current address, so that the back button does not return to a sent form', async () => {
  void startPayment(7, { backAddress: '/requests/request-details' });
  await vi.waitFor(() => expect(assign).toHaveBeenCalled());
  expect(replaceState).toHaveBeenCalledWith(null, '', '/requests/request-details');
});

it('reloads a page that the browser has cached', async () => {
  void startPayment(7);
  await vi.waitFor(() => expect(assign).toHaveBeenCalled());
  listeners.pageshow?.({ persisted: false });
  expect(reload).not.toHaveBeenCalled();
  listeners.pageshow?.({ persisted: true });
  expect(reload).toHaveBeenCalledOnce();
});

it('throws and stays on the page when the payment is not created', async () => {
  reply = () => jsonReply({ error: 'ActionNotAllowed', message: 'x' }, 400);
  await expect(startPayment(7, { skipErrorHandling: true })).rejects.toMatchObject({
    name: 'ActionNotAllowed',
  });
  expect(assign).not.toHaveBeenCalled();
  expect(listeners).toEqual({});
});
