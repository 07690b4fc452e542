import { expect, it, vi } from 'vitest';
import { fontFaces, lacksLetters, loadFirstFonts, showFonts } from './fonts.ts';

const facesOf = (family: string) =>
  [...document.fonts].filter((face) => face.family.includes(family) && face.status === 'loaded');

it('adds no font that the server wrote', async () => {
  const style = document.createElement('style');
  style.textContent = fontFaces('en-US');
  document.head.append(style);
  const { size } = document.fonts;
  await showFonts('en-US');
  // Files that share this page may have loaded the family before.
  const shown = [document.fonts.size, facesOf('Roboto').length > 0];
  style.remove();
  expect(shown).toEqual([size, true]);
});

it.each([
  ['ar-EG', 'Noto Kufi Arabic Variable', ['u+600-8ff', 'u+0-ff']],
  ['ur-PK', 'Roboto Variable', ['u+0-ff']],
] as const)('loads the font of each script of %s', async (language, family, scripts) => {
  await showFonts(language);
  const loaded = facesOf(family);
  for (const script of scripts)
    expect(
      loaded.filter(({ unicodeRange }) => unicodeRange.toLowerCase().startsWith(script)),
      script,
    ).toHaveLength(1);
});

it.each([
  { device: 'with the letters', width: 20, shown: 0 },
  { device: 'without the letters', width: 10, shown: 1 },
])('loads the fonts of the first page, $device', async ({ width, shown }) => {
  vi.spyOn(CanvasRenderingContext2D.prototype, 'measureText').mockImplementation(
    (text) => Object.assign(new DOMRect(), { width: text === '\u{10FFFF}' ? 10 : width }) as never,
  );
  for (const face of facesOf('Nastaliq')) document.fonts.delete(face);
  await loadFirstFonts('ur-PK');
  expect(facesOf('Nastaliq')).toHaveLength(shown);
  expect(document.cookie).toContain('fonts=ur-PK');
  document.cookie = 'fonts=; path=/; max-age=0';
  vi.restoreAllMocks();
  await showFonts('ur-PK');
  await showFonts('ur-PK');
  expect(facesOf('Nastaliq')).toHaveLength(1);
});

it('shows the fonts that arrive when another one fails, which the next page loads again', async () => {
  for (const family of ['Nastaliq', 'Roboto'])
    for (const face of facesOf(family)) document.fonts.delete(face);
  const { load } = FontFace.prototype;
  vi.spyOn(FontFace.prototype, 'load').mockImplementation(function (this: FontFace) {
    return this.family.includes('Roboto') ? Promise.reject(new Error('offline')) : load.call(this);
  });
  vi.spyOn(CanvasRenderingContext2D.prototype, 'measureText').mockReturnValue({
    width: 10,
  } as TextMetrics);
  await loadFirstFonts('ur-PK');
  vi.restoreAllMocks();
  expect(facesOf('Nastaliq')).toHaveLength(1);
  expect(document.cookie).not.toContain('fonts=ur-PK');
});

it('knows letters that every device has', () => {
  expect(lacksLetters('en-US')).toBe(false);
});
