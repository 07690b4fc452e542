/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// axe skips the contrast of Arabic and Urdu text (design §12), so the tokens are checked by
// computation, in both modes.
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const css = read('./theme.css');
const tokensIn = (source: string) =>
  [
    ...source.matchAll(
      /--color-([a-z]+-?\d*(?:-[a-z]+)?): (#[0-9a-f]{6}|var\(--color-[a-z]+-\d+\));/g,
    ),
  ].map((match): [string, string] => [match[1] ?? '', match[2] ?? '']);
const light = new Map(tokensIn(css));
const darkTokens = tokensIn(read('./theme-dark.css'));
const modes = { light, dark: new Map([...light, ...darkTokens]) };
type Mode = keyof typeof modes;

function hexOf(mode: Mode, name: string): string {
  const value = modes[mode].get(name) ?? '';
  return value.startsWith('var(') ? hexOf(mode, value.slice('var(--color-'.length, -1)) : value;
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(mode: Mode, one: string, other: string): number {
  const [high = 0, low = 0] = [one, other]
    .map((name) => luminanceOf(hexOf(mode, name)))
    .toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const texts: [text: string, ground: string][] = [
  ['white', 'primary'],
  ['white', 'primary-hover'],
  ['white', 'primary-pressed'],
  ['link', 'white'],
  ['link', 'desert-50'],
  ['gold-700', 'gold-50'],
  ['gold-700', 'white'],
  ['gold-800', 'gold-50'],
  ['gold-800', 'gold-100'],
  ['ink-900', 'white'],
  ['ink-900', 'gold-200'],
  ['ink-700', 'ink-50'],
  ['ink-600', 'desert-50'],
  ['ink-600', 'ink-50'],
  ['ink-500', 'white'],
  ['ink-500', 'desert-50'],
  ['ink-500', 'gold-50'],
  ['ink-500', 'amber-50'],
  ['ink-500', 'ink-100'],
  ['red-700', 'white'],
  ['red-700', 'red-50'],
  ['red-800', 'red-50'],
  ['red-800', 'red-100'],
  ['green-700', 'green-50'],
  ['green-800', 'green-50'],
  ['green-800', 'green-100'],
  ['amber-800', 'amber-50'],
  ['amber-800', 'amber-100'],
  ['blue-700', 'blue-50'],
  ['blue-900', 'blue-50'],
  ['blue-900', 'blue-100'],
  ['ink-800', 'blue-50'],
  ['ink-800', 'amber-50'],
];

// Edges of controls and the focus ring. WCAG 2.2, 1.4.11.
const edges: [edge: string, ground: string][] = [
  ['ink-400', 'white'],
  ['gold-600', 'white'],
  ['red-700', 'white'],
  ['focus', 'white'],
  ['focus', 'desert-50'],
];

/** Every ground and text that one list of classes names together, without variants such as `hover:`. */
function pairsInSources(): [text: string, ground: string][] {
  const folder = fileURLToPath(new URL('../../', import.meta.url));
  const pairs = new Map<string, [string, string]>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx') || /\.test\.|^gallery/.test(file)) continue;
    for (const [, classes = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /['"`]([^'"`\n]*)['"`]/g,
    )) {
      const find = (kind: string) =>
        new RegExp(`(?:^|\\s)${kind}-([a-z]+(?:-\\d+)?)(?=\\s|$)`).exec(classes)?.[1] ?? '';
      const [text, ground] = [find('text'), find('bg')];
      if (light.has(text) && light.has(ground)) pairs.set(`${text} ${ground}`, [text, ground]);
    }
  }
  return [...pairs.values()];
}

describe.each(['light', 'dark'] as const)('the colour tokens, %s', (mode) => {
  it.each(texts)('%s has the contrast of text on %s', (text, ground) => {
    expect(contrastOf(mode, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(edges)('%s has the contrast of controls on %s', (edge, ground) => {
    expect(contrastOf(mode, edge, ground)).toBeGreaterThanOrEqual(3);
  });

  it('every text on a ground that a component names has the contrast of text', () => {
    const pairs = pairsInSources();
    expect(pairs.length).toBeGreaterThan(10);
    expect(
      pairs.filter(([text, ground]) => contrastOf(mode, text, ground) < 4.5).map(String),
    ).toEqual([]);
  });

  it('the shade behind a dialog is darker than the page', () => {
    expect(luminanceOf(hexOf(mode, 'shade'))).toBeLessThan(luminanceOf(hexOf(mode, 'white')));
  });
});

describe('the dark mode', () => {
  it('gives every colour a dark value, except paper and the roles that follow', () => {
    const same = [...light.keys()].filter(
      (name) =>
        name !== 'paper' &&
        !light.get(name)?.startsWith('var(') &&
        !darkTokens.some(([dark]) => dark === name),
    );
    expect(same).toEqual([]);
  });

  it('computes known contrasts', () => {
    expect(contrastOf('light', 'white', 'ink-900')).toBeGreaterThan(16);
    expect(contrastOf('light', 'white', 'gold-500')).toBeLessThan(4.5);
  });
});

// Specification §9.
it('the bell takes 500 ms to enter', () => {
  expect(css).toMatch(/--animate-bell: bell 500ms /);
});
