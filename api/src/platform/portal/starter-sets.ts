import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { normalizeText } from '../core/normalize-text.ts';

const folder = new URL('../../../seed/', import.meta.url);

/** Reads a set of items that many portals use: a list in a file of `api/seed`. */
export function readStarterSet<Item extends z.ZodType>(
  file: string,
  shape: Item,
): z.output<Item>[] {
  return shape.array().parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
}

/** Whether one of the texts says the same as another one, in any language. */
export const isAmong = (text: LocalizedText, others: readonly LocalizedText[]): boolean =>
  others.some((other) =>
    languages.some((each) => normalizeText(other[each]) === normalizeText(text[each])),
  );

/** The items of a set by the keys that a caller chose: their places in the set. */
export const chosenOf = <Item>(items: readonly Item[], keys: readonly number[]): Item[] =>
  items.filter((_, key) => keys.includes(key));
