import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refusalNames } from '@diwan/contract/wire/errors';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { fakeToken, jsonReply, openFakeBrowser } from '../../testing/fake-browser.ts';

const browser = openFakeBrowser(() => jsonReply({}));
const said: [string, string | undefined][] = [];
vi.mock('../browser/toasts.ts', () => ({
  showToast: (text: string, tone?: string) => said.push([text, tone]),
}));
const { handleError, messageOf, setForget } = await import('./handle-error.ts');
const { setRouter } = await import('../browser/navigation.ts');
const { errorFromReply, noConnection, SendError } = await import('./send-error.ts');

const textsOf = (language: Language) =>
  JSON.parse(
    readFileSync(
      new URL(`../../../public/locales/${language}/errors.json`, import.meta.url),
      'utf8',
    ),
  ) as { refusals: Record<string, string> };
await i18next.init({
  lng: 'en-US',
  fallbackLng: false,
  resources: Object.fromEntries(
    languages.map((language) => [language, { errors: textsOf(language) }]),
  ),
  interpolation: { escapeValue: false },
});
const words = (name: string, language: Language = 'en-US') => textsOf(language).refusals[name];

const went: string[] = [];
setRouter({ navigate: (path) => went.push(path) });
const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const forgotten = vi.fn();
setForget(forgotten);

beforeEach(async () => {
  said.length = 0;
  went.length = 0;
  browser.focused.length = 0;
  logged.mockClear();
  forgotten.mockClear();
  window.sessionStorage.clear();
  browser.location.pathname = '/services';
  await i18next.changeLanguage('en-US');
});

describe('400', () => {
  it('with errors: each message is a toast', () => {
    handleError(errorFromReply(400, { errors: { a: ['First', 'Second'], b: ['Third'] } }));
    expect(said).toEqual([
      ['First', 'danger'],
      ['Second', 'danger'],
      ['Third', 'danger'],
    ]);
    expect([went, browser.focused]).toEqual([[], []]);
  });

  it('with errors that hold no message says what it is', () => {
    handleError(errorFromReply(400, { errors: {} }));
    expect(said).toEqual([[words('ValidationFailed'), 'danger']]);
  });

  it('otherwise: the text is toasted, the element of that focus id focused and highlighted', () => {
    handleError(errorFromReply(400, { error: 'TermsNotAccepted', message: 'The server says so' }));
    expect(said).toEqual([['The server says so', 'danger']]);
    expect(browser.focused).toEqual(['[data-focus-id~="TermsNotAccepted"]', 'data-highlighted']);
  });

  it.each(languages)(
    'otherwise, without words of the server: translated into %s',
    async (language) => {
      await i18next.changeLanguage(language);
      handleError(new SendError(400, 'TermsNotAccepted', ''));
      expect(said).toEqual([[words('TermsNotAccepted', language), 'danger']]);
    },
  );
});

describe('401', () => {
  it.each(languages)(
    'logs out, goes to login and says so in %s; the way back is kept',
    async (language) => {
      await i18next.changeLanguage(language);
      window.sessionStorage.setItem('token', fakeToken(60));
      window.sessionStorage.setItem('draft:1:1', 'kept');
      // Several calls of a page are refused together.
      for (let call = 0; call < 3; call += 1)
        handleError(errorFromReply(401, { error: 'SessionEnded', message: 'x' }));
      expect(window.sessionStorage.getItem('token')).toBeNull();
      await vi.waitFor(() => expect(said).not.toEqual([]), 20_000);
      expect(forgotten).toHaveBeenCalledTimes(1);
      expect(went).toEqual(['/account/login']);
      expect(said).toEqual([[words('YouHaveToLoginFirst', language), 'danger']]);
      expect(window.sessionStorage.getItem('returnUrl')).toBe('/services?a=1#b');
      expect(window.sessionStorage.getItem('draft:1:1')).toBe('kept');
    },
  );

  it('forgets what was shown only when it is shown no more', async () => {
    let arrive: () => void = () => undefined;
    setRouter({ navigate: () => new Promise<void>((resolve) => (arrive = resolve)) });
    handleError(errorFromReply(401, undefined));
    await new Promise((resolve) => setImmediate(resolve));
    expect(forgotten).not.toHaveBeenCalled();
    arrive();
    await vi.waitFor(() => expect(forgotten).toHaveBeenCalledTimes(1), 20_000);
    setRouter({ navigate: (path) => went.push(path) });
  });

  it('on the login page does not lead back to it', () => {
    browser.location.pathname = '/account/login';
    handleError(errorFromReply(401, undefined));
    expect(window.sessionStorage.getItem('returnUrl')).toBeNull();
  });
});

it.each([
  ['ServiceProviderInactive', '/partner/profile'],
  ['ServiceProviderSuspended', '/partner/profile'],
  ['SecondFactorSetupRequired', '/account/second-factor'],
])('403 %s goes to the page that says why: %s', (error, page) => {
  handleError(errorFromReply(403, { error, message: 'Why' }));
  expect([went, said]).toEqual([[page], [['Why', 'danger']]]);
});

it('403 goes to the root and says so; the session is kept', () => {
  handleError(errorFromReply(403, { error: 'YouAreUnauthorized', message: 'x' }));
  expect(went).toEqual(['/']);
  expect(said).toEqual([[words('YouAreUnauthorized'), 'danger']]);
  expect(forgotten).not.toHaveBeenCalled();
});

it('404 toasts what the server says', () => {
  handleError(
    errorFromReply(404, { error: 'RequestNotFound', message: 'We did not find this request' }),
  );
  expect(said).toEqual([['We did not find this request', 'danger']]);
  expect([went, logged.mock.calls]).toEqual([[], []]);
});

it('500 is logged and toasted with what support needs to find it', () => {
  const error = errorFromReply(500, {
    error: 'InternalServerError',
    message: 'Something failed.',
    requestId: '1f0e77ab-2d40-4a55-9a53-6b1f2a3c4d5e',
  });
  handleError(error);
  expect(logged).toHaveBeenCalledWith(error);
  expect(said).toEqual([['Something failed. Reference for support: ⁨1f0e77ab⁩.', 'danger']]);
});

it('429 says how long to wait', async () => {
  const error = (after: string) =>
    errorFromReply(429, { error: 'TooManyRequests', message: 'Too many.' }, false, after);
  handleError(error('45'));
  expect(said).toEqual([['Too many. Time to wait: 45 seconds.', 'danger']]);
  expect(messageOf(error('600'))).toBe('Too many. Time to wait: 10 minutes.');
  await i18next.changeLanguage('ar-EG');
  expect(messageOf(error('2'))).toBe('Too many. مدة الانتظار: ثانيتان.');
  expect(messageOf(error('5'))).toBe('Too many. مدة الانتظار: 5 ثوانٍ.');
});

it('no connection says so in the words of the page', () => {
  handleError(noConnection());
  expect(said).toEqual([[words('ServerNotConnected'), 'danger']]);
  expect(logged).not.toHaveBeenCalled();
});

it('a call with the skip option is left to whoever made it, whatever the error', () => {
  for (const status of [0, 400, 401, 403, 404, 429, 500])
    handleError(new SendError(status, 'NotFound', 'x', { a: ['x'] }, true));
  expect([said, went, forgotten.mock.calls, logged.mock.calls]).toEqual([[], [], [], []]);
});

it('what is no error of a call is logged, and tells a person nothing technical', () => {
  handleError(new TypeError('x is undefined'));
  handleError(new DOMException('Aborted', 'AbortError'));
  expect(said).toEqual([[words('InternalServerError'), 'danger']]);
  expect(logged).toHaveBeenCalledTimes(1);
});

it.each(languages)('every refusal has words in %s', async (language) => {
  await i18next.changeLanguage(language);
  for (const name of [...refusalNames, 'ServerNotConnected'] as const)
    expect(messageOf(new SendError(400, name, '')), name).not.toContain('refusals.');
});
