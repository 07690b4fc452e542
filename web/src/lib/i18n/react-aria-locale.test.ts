import { createElement } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { setReactAriaLocale } from './react-aria-locale.ts';

afterEach(() => vi.unstubAllGlobals());

test('react-aria uses the locale, and components get an event for a change', () => {
  const heard: string[] = [];
  vi.stubGlobal('window', Object.assign(new EventTarget(), {}));
  window.addEventListener('languagechange', () => heard.push('changed'));
  const Locale = () => useLocale().locale;
  for (const locale of ['ar-EG-u-nu-latn', 'ur-PK-u-nu-latn']) {
    setReactAriaLocale(locale);
    expect(renderToString(createElement(Locale))).toBe(locale);
  }
  expect(heard).toEqual(['changed', 'changed']);
});
