import { normaliseForSearch } from '../../lib/i18n/match-text.ts';

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/**
 * The text as search compares it, letter by letter, and for each of its letters where it stands in
 * the text.
 */
function fold(text: string): { folded: string; places: number[] } {
  const places: number[] = [];
  let folded = '';
  let place = 0;
  for (const letter of text) {
    const plain = /\s/.test(letter) ? ' ' : normaliseForSearch(letter);
    for (let index = 0; index < plain.length; index += 1) places.push(place);
    folded += plain;
    place += letter.length;
  }
  return { folded, places };
}

type Range = [from: number, to: number];

function rangesOf(folded: string, wanted: string): Range[] {
  const whole = folded.indexOf(wanted);
  if (whole >= 0) return [[whole, whole + wanted.length]];
  const found = wanted.split(' ').map((word): Range => {
    const atStart = ` ${folded}`.indexOf(` ${word}`);
    const from = atStart >= 0 ? atStart : folded.indexOf(word);
    return [from, from + word.length];
  });
  const merged: Range[] = [];
  for (const [from, to] of found.filter(([from]) => from >= 0).sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/**
 * A text cut where it is what was searched for, whatever marks and forms of letters either is
 * written with.
 */
export function matchedParts(text: string, query: string): TextPart[] {
  const wanted = normaliseForSearch(query).replace(/\s+/g, ' ');
  if (wanted === '') return [{ text, isMatch: false }];
  const { folded, places } = fold(text);
  const parts: TextPart[] = [];
  let end = 0;
  for (const [from, to] of rangesOf(folded, wanted)) {
    const first = places[from] ?? text.length;
    const after = places[to] ?? text.length;
    parts.push(
      { text: text.slice(end, first), isMatch: false },
      { text: text.slice(first, after), isMatch: true },
    );
    end = after;
  }
  return [...parts, { text: text.slice(end), isMatch: false }].filter((part) => part.text !== '');
}
