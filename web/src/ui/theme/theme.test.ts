/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// axe skips the contrast of Arabic and Urdu text (design §12), so the tokens are checked by
// computation.
const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');
const tokens = new Map(
  [
    ...css.matchAll(
      /--color-([a-z]+-?\d*(?:-[a-z]+)?): (#[0-9a-f]{6}|var\(--color-[a-z]+-\d+\));/g,
    ),
  ].map((match) => [match[1] ?? '', match[2] ?? '']),
);

function hexOf(name: string): string {
  const value = tokens.get(name) ?? '';
  return value.startsWith('var(') ? hexOf(value.slice('var(--color-'.length, -1)) : value;
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(hexOf(one)), luminanceOf(hexOf(other))].toSorted(
    (a, b) => b - a,
  );
  return (light + 0.05) / (dark + 0.05);
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

describe('the colour tokens', () => {
  it.each(texts)('%s has the contrast of text on %s', (text, ground) => {
    expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(edges)('%s has the contrast of controls on %s', (edge, ground) => {
    expect(contrastOf(edge, ground)).toBeGreaterThanOrEqual(3);
  });

  it('computes known contrasts', () => {
    expect(contrastOf('white', 'ink-900')).toBeGreaterThan(16);
    expect(contrastOf('white', 'gold-500')).toBeLessThan(4.5);
  });
});

// Specification §9.
it('the bell takes 500 ms to enter', () => {
  expect(css).toMatch(/--animate-bell: bell 500ms /);
});
