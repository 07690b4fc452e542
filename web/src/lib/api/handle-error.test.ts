import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeToken, jsonReply, openFakeBrowser } from '#testing/fake-browser.ts';
import { readTexts, startTestTranslations } from '#testing/translations.ts';
import { refusalNames } from '@diwan/contract/wire/errors';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { changeLanguage } from '../i18n/translate.ts';

const browser = openFakeBrowser(() => jsonReply({}));
const shown: [string, string | undefined][] = [];
vi.mock('../browser/toasts.ts', () => ({
  showToast: (text: string, tone?: string) => shown.push([text, tone]),
}));
const { handleError, messageOf, setSessionCleanup } = await import('./handle-error.ts');
const { setRouter } = await import('../browser/navigation.ts');
const { errorFromReply, connectionError, ApiError } = await import('./api-error.ts');

await startTestTranslations('en-US', 'errors');
const textOf = (name: string, language: Language = 'en-US') =>
  (readTexts(language, 'errors') as { refusals: Record<string, string> }).refusals[name];

const visited: string[] = [];
setRouter({ navigate: (path) => visited.push(path) });
const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const cleanedUp = vi.fn();
setSessionCleanup(cleanedUp);

beforeEach(async () => {
  shown.length = 0;
  visited.length = 0;
  browser.focused.length = 0;
  logged.mockClear();
  cleanedUp.mockClear();
  window.sessionStorage.clear();
  browser.location.pathname = '/services';
  await changeLanguage('en-US');
});

describe('400', () => {
  it('shows each message of a validation', () => {
    handleError(errorFromReply(400, { errors: { a: ['First', 'Second'], b: ['Third'] } }));
    expect(shown).toEqual([
      ['First', 'danger'],
      ['Second', 'danger'],
      ['Third', 'danger'],
    ]);
    expect([visited, browser.focused]).toEqual([[], []]);
  });

  it('shows the text of the error when a validation has no messages', () => {
    handleError(errorFromReply(400, { errors: {} }));
    expect(shown).toEqual([[textOf('ValidationFailed'), 'danger']]);
  });

  it('shows the text of a refusal and focuses its element', () => {
    handleError(errorFromReply(400, { error: 'TermsNotAccepted', message: 'The server says so' }));
    expect(shown).toEqual([['The server says so', 'danger']]);
    expect(browser.focused).toEqual(['[data-focus-id~="TermsNotAccepted"]', 'data-highlighted']);
  });

  it.each(languages)(
    'shows a translated text when the server sends none, in %s',
    async (language) => {
      await changeLanguage(language);
      handleError(new ApiError(400, 'TermsNotAccepted', ''));
      expect(shown).toEqual([[textOf('TermsNotAccepted', language), 'danger']]);
    },
  );
});

describe('401', () => {
  it.each(languages)(
    'signs out, opens the login page with a message in %s and stores the return address',
    async (language) => {
      await changeLanguage(language);
      window.sessionStorage.setItem('token', fakeToken(60));
      window.sessionStorage.setItem('draft:1:1', 'stored');
      // Several calls of a page are refused together.
      for (let call = 0; call < 3; call += 1)
        handleError(errorFromReply(401, { error: 'SessionEnded', message: 'x' }));
      expect(window.sessionStorage.getItem('token')).toBeNull();
      await vi.waitFor(() => expect(shown).not.toEqual([]), 20_000);
      expect(cleanedUp).toHaveBeenCalledTimes(1);
      expect(visited).toEqual(['/account/login']);
      expect(shown).toEqual([[textOf('YouHaveToLoginFirst', language), 'danger']]);
      expect(window.sessionStorage.getItem('returnUrl')).toBe('/services?a=1#b');
      expect(window.sessionStorage.getItem('draft:1:1')).toBe('stored');
    },
  );

  it('clears the session data after the login page is shown', async () => {
    let finishNavigation: () => void = () => undefined;
    setRouter({ navigate: () => new Promise<void>((resolve) => (finishNavigation = resolve)) });
    handleError(errorFromReply(401, undefined));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cleanedUp).not.toHaveBeenCalled();
    finishNavigation();
    await vi.waitFor(() => expect(cleanedUp).toHaveBeenCalledTimes(1), 20_000);
    setRouter({ navigate: (path) => visited.push(path) });
  });

  it('does not store the login page as return address', () => {
    browser.location.pathname = '/account/login';
    handleError(errorFromReply(401, undefined));
    expect(window.sessionStorage.getItem('returnUrl')).toBeNull();
  });
});

it.each([
  ['ServiceProviderInactive', '/partner/profile'],
  ['ServiceProviderSuspended', '/partner/profile'],
  ['SecondFactorSetupRequired', '/account/second-factor'],
])('403 %s opens the page that explains it: %s', (error, page) => {
  handleError(errorFromReply(403, { error, message: 'Why' }));
  expect([visited, shown]).toEqual([[page], [['Why', 'danger']]]);
});

it('403 opens the home page with a message and preserves the session', () => {
  handleError(errorFromReply(403, { error: 'YouAreUnauthorized', message: 'x' }));
  expect(visited).toEqual(['/']);
  expect(shown).toEqual([[textOf('YouAreUnauthorized'), 'danger']]);
  expect(cleanedUp).not.toHaveBeenCalled();
});

it('404 shows the text of the server', () => {
  handleError(
    errorFromReply(404, { error: 'RequestNotFound', message: 'We did not find this request' }),
  );
  expect(shown).toEqual([['We did not find this request', 'danger']]);
  expect([visited, logged.mock.calls]).toEqual([[], []]);
});

it('500 is logged and shown with a reference for support', () => {
  const error = errorFromReply(500, {
    error: 'InternalServerError',
    message: 'Something failed.',
    requestId: '1f0e77ab-2d40-4a55-9a53-6b1f2a3c4d5e',
  });
  handleError(error);
  expect(logged).toHaveBeenCalledWith(error);
  expect(shown).toEqual([['Something failed. Reference for support: ⁨1f0e77ab⁩.', 'danger']]);
});

it('429 shows how long to wait', async () => {
  const error = (after: string) =>
    errorFromReply(429, { error: 'TooManyRequests', message: 'Too many.' }, false, after);
  handleError(error('45'));
  expect(shown).toEqual([['Too many. Try again in 45 seconds.', 'danger']]);
  expect(messageOf(error('600'))).toBe('Too many. Try again in 10 minutes.');
  await changeLanguage('ar-EG');
  expect(messageOf(error('2'))).toBe('Too many. أعد المحاولة بعد ثانيتين.');
  expect(messageOf(error('5'))).toBe('Too many. أعد المحاولة بعد 5 ثوانٍ.');
});

it('no connection shows a text of the portal', () => {
  handleError(connectionError());
  expect(shown).toEqual([[textOf('ServerNotConnected'), 'danger']]);
  expect(logged).not.toHaveBeenCalled();
});

it('no error of a call with the skip option is handled', () => {
  for (const status of [0, 400, 401, 403, 404, 429, 500])
    handleError(new ApiError(status, 'NotFound', 'x', { skipErrorHandling: true }));
  expect([shown, visited, cleanedUp.mock.calls, logged.mock.calls]).toEqual([[], [], [], []]);
});

it('an error of the program is logged and shown without technical details', () => {
  handleError(new TypeError('x is undefined'));
  handleError(new DOMException('Aborted', 'AbortError'));
  expect(shown).toEqual([[textOf('InternalServerError'), 'danger']]);
  expect(logged).toHaveBeenCalledTimes(1);
});

it.each(languages)('every refusal has a text in %s', async (language) => {
  await changeLanguage(language);
  for (const name of [...refusalNames, 'ServerNotConnected'] as const)
    expect(messageOf(new ApiError(400, name, '')), name).not.toContain('refusals.');
});
