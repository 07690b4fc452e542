import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { jsonReply, openFakeBrowser, type Asked } from '#testing/fake-browser.ts';
import { getServices } from '@diwan/contract/catalogue/services';
import { saveSnippet } from '@diwan/contract/people/snippets';
import { login } from '@diwan/contract/people/users';
import { saveDraft } from '@diwan/contract/requests/drafts';
import { createPayment } from '@diwan/contract/requests/payments';
import { callKeyHeader } from '@diwan/contract/wire/call';

let answers: ((asked: Asked) => Response | Promise<Response>)[] = [];
const { asked } = openFakeBrowser((one) => (answers.shift() ?? (() => jsonReply([])))(one));
const shown: string[] = [];
vi.mock('../browser/toasts.ts', () => ({ showToast: (text: string) => shown.push(text) }));
vi.mock('../i18n/translate.ts', async (load) => ({
  ...(await load<object>()),
  t: (key: string) => key,
}));
const { repeatPauses } = await import('./retry.ts');
const { send } = await import('./send.ts');

const usualPauses = repeatPauses.seconds;
const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const busy = () => jsonReply({ error: 'ServerBusy', message: 'x' }, 503);
const silent = ({ init }: Asked) =>
  new Promise<Response>((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });
const save = (name: string, signal?: AbortSignal) =>
  send(saveSnippet, { body: { name, messageAr: '', messageEn: 'x', messageUr: '' }, signal });
const keys = () => asked.map(({ headers }) => headers.get(callKeyHeader));

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(window, { setTimeout, clearTimeout });
  answers = [];
  asked.length = 0;
  shown.length = 0;
});
afterEach(() => {
  repeatPauses.seconds = usualPauses;
  vi.useRealTimers();
});

it('gives each act a key of its own, and no key to what only reads or must not be stored', async () => {
  await save('a');
  await save('a');
  expect(new Set(keys()).size).toBe(2);
  for (const key of keys()) expect(key).toMatch(/^[\da-f-]{36}$/);
  asked.length = 0;
  await send(getServices, { query: {} });
  await send(login, { body: { username: 'x', password: 'y' } });
  await send(saveDraft, { body: {} as never });
  expect(keys()).toEqual([null, null, null]);
});

it.each([
  ['a lost connection', lost],
  ['a busy server', busy],
  ['a silent server', silent],
] as const)('sends again with the key after %s, and says that it waits', async (_, failure) => {
  answers = [failure, failure];
  const sent = save('b');
  await vi.runAllTimersAsync();
  expect(await sent).toEqual([]);
  expect(asked).toHaveLength(3);
  expect(new Set(keys()).size).toBe(1);
  expect(shown).toEqual(['tryingAgain', 'tryingAgain']);
});

it('sends the begin of a payment again, which continues the first one', async () => {
  answers = [lost];
  const sent = send(createPayment, { params: { requestId: 1 } as never, query: {} });
  await vi.runAllTimersAsync();
  expect(await sent).toEqual([]);
  expect(asked).toHaveLength(2);
});

it('ends after half a minute, and the same sent again has the key', async () => {
  answers = Array.from({ length: 6 }, () => lost);
  const sent = save('c').catch((error: unknown) => error);
  const began = Date.now();
  await vi.runAllTimersAsync();
  expect(await sent).toMatchObject({ name: 'OutcomeUnknown', status: 0 });
  expect(Date.now() - began).toBe(30_000);
  expect(asked).toHaveLength(6);
  await save('d');
  await save('c');
  await save('c');
  const [first] = keys();
  expect(
    keys()
      .slice(6)
      .map((key) => key === first),
  ).toEqual([false, true, false]);
});

it('takes a refusal as the end of the act', async () => {
  answers = [lost, () => jsonReply({ error: 'SnippetNameTaken', message: 'x' }, 400)];
  const sent = save('e').catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await sent).toMatchObject({ name: 'SnippetNameTaken' });
  await save('e');
  expect(new Set(keys()).size).toBe(2);
});

it('does not repeat what its caller aborts', async () => {
  const leaving = new AbortController();
  answers = [lost];
  const sent = save('f', leaving.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(500);
  leaving.abort();
  expect(await sent).toMatchObject({ name: 'AbortError' });
  expect(asked).toHaveLength(1);
});
