import { afterEach, expect, it, vi } from 'vitest';
import { addLateFonts, loadFirstFonts, loadFonts } from './fonts.ts';

afterEach(() => vi.restoreAllMocks());

const facesOf = (family: string) =>
  [...document.fonts].filter((face) => face.family.includes(family) && face.status === 'loaded');

const removeNastaliq = () => {
  for (const face of facesOf('Noto Nastaliq')) document.fonts.delete(face);
};

it('keeps the letters of a page that is being read until the next page', async () => {
  // Another file in the same page may have loaded it.
  removeNastaliq();
  const paints = vi.spyOn(performance, 'getEntriesByName');
  paints.mockReturnValue([{ startTime: performance.now() - 4000 } as PerformanceEntry]);
  await loadFirstFonts('ur-PK');
  expect([facesOf('Noto Nastaliq').length, facesOf('Roboto Variable').length]).toEqual([0, 1]);
  addLateFonts();
  expect(facesOf('Noto Nastaliq')).toHaveLength(1);
  addLateFonts();
  await loadFonts('ur-PK');
  expect(facesOf('Noto Nastaliq')).toHaveLength(1);
});

it('shows the first fonts at once where they come soon', async () => {
  removeNastaliq();
  const paints = vi.spyOn(performance, 'getEntriesByName');
  paints.mockReturnValue([{ startTime: performance.now() - 300 } as PerformanceEntry]);
  await loadFirstFonts('ur-PK');
  expect(facesOf('Noto Nastaliq')).toHaveLength(1);
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
