import { expect, it, vi } from 'vitest';
import { jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';
import { createUser } from '@diwan/contract/people/accounts';
import { login } from '@diwan/contract/people/users';

const scriptUrl = 'https://check.example/v3.js';
const carried = (name: string) =>
  asked.map(({ url, headers }) => [url.pathname.split('/').at(-1), headers.get(name)]);
const { asked } = openFakeBrowser(({ url, headers }) =>
  url.pathname === login.path && !headers.has('bot-check-token')
    ? jsonReply({ error: 'BotCheckRequired', message: 'who?' }, 400, {
        'bot-check-site-key': 'our-key',
        'bot-check-script': scriptUrl,
      })
    : jsonReply({ token: 'x' }),
);

// The provider's script, which creates one token per call.
const loaded: string[] = [];
const made: string[] = [];
let isBlocked = true;
vi.stubGlobal('document', {
  createElement: () => Object.assign(new EventTarget(), { src: '' }),
  head: {
    append: (element: EventTarget & { src: string }) => {
      loaded.push(element.src);
      if (!isBlocked)
        Object.assign(window, {
          grecaptcha: {
            ready: (go: () => void) => go(),
            execute: async (siteKey: string, { action }: { action: string }) => (
              made.push(`${siteKey} ${action}`),
              `token ${made.length}`
            ),
          },
        });
      element.dispatchEvent(new Event(isBlocked ? 'error' : 'load'));
    },
  },
});
const { fetchCall } = await import('./fetch-call.ts');
const signIn = () => fetchCall(login, { body: { username: 'x', password: 'y' } }, {}, null);

// Specification §1: one token per named action, on the actions that the server names.
it('loads the script after a refusal; then each call of that action has one token', async () => {
  await fetchCall(createUser, {}, {}, null);
  expect([loaded, carried('bot-check-token')]).toEqual([[], [['CreateUser', null]]]);

  // When the script cannot be loaded, the call has no token and the server refuses it.
  await expect(signIn()).rejects.toMatchObject({ status: 400, name: 'BotCheckRequired' });
  expect([loaded, made]).toEqual([[scriptUrl], []]);

  asked.length = 0;
  isBlocked = false;
  await signIn();
  await signIn();
  await fetchCall(createUser, {}, {}, null);
  expect(carried('bot-check-token')).toEqual([
    ['Login', 'token 1'],
    ['Login', 'token 2'],
    ['CreateUser', null],
  ]);
  expect([loaded, made]).toEqual([
    [scriptUrl, scriptUrl],
    ['our-key login', 'our-key login'],
  ]);
});
