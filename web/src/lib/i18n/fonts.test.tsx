import { afterEach, beforeEach, expect, it } from 'vitest';
import { addLateFonts, loadFirstFonts, loadFonts } from './fonts.ts';

const facesOf = (family: string) =>
  [...document.fonts].filter((face) => face.family.includes(family) && face.status === 'loaded');

let text: HTMLElement;
beforeEach(() => {
  // Another file in the same page may have loaded it.
  for (const face of facesOf('Noto Nastaliq')) document.fonts.delete(face);
  text = document.createElement('p');
  text.style.fontFamily = '"Noto Nastaliq Urdu Variable", monospace';
  text.append(document.createElement('span'), 'خدمات');
  document.body.append(text);
});

afterEach(() => {
  text.remove();
  document.cookie = 'fonts=; path=/; max-age=0';
});

const nastaliq = () => facesOf('Noto Nastaliq').length;

it('keeps the letters of a page whose lines would move, until the next page', async () => {
  const next = document.createElement('p');
  next.textContent = 'below';
  text.style.lineHeight = 'normal';
  document.body.append(next);
  const { top } = next.getBoundingClientRect();
  await loadFirstFonts('ur-PK');
  expect(nastaliq()).toBe(0);
  expect(next.getBoundingClientRect().top).toBe(top);
  addLateFonts();
  expect(nastaliq()).toBe(1);
  expect(next.getBoundingClientRect().top).toBeGreaterThan(top);
  addLateFonts();
  await loadFonts('ur-PK');
  expect(nastaliq()).toBe(1);
  next.remove();
});

it('shows the fonts at once where nothing that is seen moves', async () => {
  text.style.cssText += 'line-height: 60px; height: 60px; overflow: hidden';
  await loadFirstFonts('ur-PK');
  expect(nastaliq()).toBe(1);
  expect(document.cookie).toContain('fonts=ur-PK');
});

it.each([
  ['ar-EG', 'Noto Kufi Arabic Variable', ['u+600-8ff', 'u+0-ff']],
  ['ur-PK', 'Roboto Variable', ['u+0-ff']],
] as const)('loads the font of each script of %s', async (language, family, scripts) => {
  await loadFonts(language);
  const loaded = facesOf(family);
  for (const script of scripts)
    expect(
      loaded.filter(({ unicodeRange }) => unicodeRange.toLowerCase().startsWith(script)),
      script,
    ).toHaveLength(1);
});
