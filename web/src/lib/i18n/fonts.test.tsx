import { expect, it } from 'vitest';
import { loadFonts } from './fonts.ts';

it.each([
  ['ar-EG', 'Noto Kufi Arabic Variable', ['u+600-8ff', 'u+0-ff']],
  ['ur-PK', 'Roboto Variable', ['u+0-ff']],
] as const)('loads the font of each script of %s', async (language, family, scripts) => {
  await loadFonts(language);
  const loaded = [...document.fonts].filter(
    (face) => face.family.includes(family) && face.status === 'loaded',
  );
  for (const script of scripts)
    expect(
      loaded.filter(({ unicodeRange }) => unicodeRange.toLowerCase().startsWith(script)),
      script,
    ).toHaveLength(1);
});
