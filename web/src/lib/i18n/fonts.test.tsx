import { expect, it } from 'vitest';
import { fontFaces, loadFontsForNextPage, showFonts } from './fonts.ts';

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

it('loads the fonts of the first page for the next one, which has them', async () => {
  for (const face of facesOf('Nastaliq')) document.fonts.delete(face);
  await loadFontsForNextPage('ur-PK');
  expect(facesOf('Nastaliq')).toEqual([]);
  expect(document.cookie).toContain('fonts=ur-PK');
  document.cookie = 'fonts=; path=/; max-age=0';
  await showFonts('ur-PK');
  await showFonts('ur-PK');
  expect(facesOf('Nastaliq')).toHaveLength(1);
});
