import { createElement, lazy, Suspense } from 'react';
import { expect, it } from 'vitest';
import { renderOnServer } from './render-on-server.ts';

const picture = (props: object) =>
  createElement('main', {}, createElement('img', { src: '/logo.svg', alt: '', ...props }));

it.each([{ fetchPriority: 'low' }, { loading: 'lazy' }])(
  'renders a picture that waits for the texts: %o',
  (props) => {
    expect(renderOnServer(picture(props), '/home')).toMatch(/^<main><img [^>]*><\/main>$/);
  },
);

it.each([{}, { fetchPriority: 'high' }])(
  'refuses a picture that is fetched before the texts: %o',
  (props) => {
    expect(() => renderOnServer(picture(props), '/home')).toThrow(
      /^\/home preloads a picture .*\/logo\.svg/,
    );
  },
);

it('refuses a screen with a component that only browsers can render', () => {
  const Later = lazy(() => Promise.resolve({ default: () => null }));
  const screen = createElement(Suspense, { fallback: 'wait' }, createElement(Later));
  expect(() => renderOnServer(screen, '/home')).toThrow(/^\/home needs the browser/);
});
