import { readFileSync } from 'node:fs';
import { normalizeForSearch, stemOf, withoutParticle } from './search-words.ts';

/** What a group of words names. */
type ConceptKind = 'thing' | 'action' | 'place' | 'agency';

/** A group of words with one meaning. */
interface Concept {
  name: string;
  kind: ConceptKind;
}

/** When a query names all concepts of `named`, they are replaced by those of `meant`. */
interface Rule {
  named: number[];
  meant: number[];
}

/** A part of a query or a name: one word, or a phrase that names a concept. */
interface Segment {
  words: readonly string[];
  concept: number | undefined;
}

/** The words and meanings that search knows besides the catalogue. */
export interface WordList {
  concepts: readonly Concept[];
  rules: readonly Rule[];
  /** The first action: what people mean who name none. */
  usualAction: number;
  /** The words of all phrases, normalised, with the spelling of the list. */
  vocabulary: ReadonlyMap<string, string>;
  isKnown(word: string): boolean;
  isIgnored(word: string): boolean;
  /** Splits a text into words without the ignored ones; all words if all are ignored. */
  split(normalized: string): string[];
  /** Finds the longest phrases. */
  segment(words: readonly string[]): Segment[];
  /** The form of a word in which phrases are compared. */
  keyOf(word: string): string;
  /** The concepts of the longest phrases, and of all phrases, in a text of these keys. */
  conceptsIn(keys: readonly string[]): { longest: number[]; all: number[] };
  /** The concepts that phrases of one word beginning with this text name. */
  conceptsBeginning(text: string): number[];
}

/** The phrases that continue with each next word. */
interface PhraseNode {
  next: Map<string, PhraseNode>;
  concept: number | undefined;
}

const newNode = (): PhraseNode => ({ next: new Map(), concept: undefined });

const kinds: Record<string, ConceptKind> = {
  '[things]': 'thing',
  '[actions]': 'action',
  '[places]': 'place',
  '[agencies]': 'agency',
};
const longestPhrase = 6;

interface Lines {
  groups: { line: number; kind: ConceptKind; name: string; phrases: string[] }[];
  rules: { line: number; named: string[]; meant: string[] }[];
  ignored: string[];
}

const splitList = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

type Fail = (line: number, reason: string) => never;

function parseRule(line: number, text: string, fail: Fail): Lines['rules'][number] {
  const [left = '', right = '', ...more] = text.split('=');
  const rule = { line, named: splitList(left, '+'), meant: splitList(right, '+') };
  if (rule.named.length === 0 || rule.meant.length === 0 || more.length > 0)
    fail(line, 'a rule is “group + group = group + group”');
  return rule;
}

function parseGroup(
  line: number,
  text: string,
  section: string,
  fail: Fail,
): Lines['groups'][number] {
  const kind = kinds[section] ?? fail(line, 'a group before its section');
  const [, name = '', list = ''] = /^([a-z][a-z0-9-]*):(.*)$/.exec(text) ?? [];
  const phrases = splitList(list, ',');
  if (phrases.length === 0) fail(line, 'a group is “name: phrase, phrase”');
  return { line, kind, name, phrases };
}

function parseLines(text: string, fail: Fail): Lines {
  const lines: Lines = { groups: [], rules: [], ignored: [] };
  let section = '';
  for (const [index, raw] of text.split('\n').entries()) {
    const [line, number] = [raw.trim(), index + 1];
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('[')) {
      if (!(line in kinds) && line !== '[rules]' && line !== '[ignored]')
        fail(number, `there is no section ${line}`);
      section = line;
    } else if (section === '[ignored]') lines.ignored.push(...splitList(line, ' '));
    else if (section === '[rules]') lines.rules.push(parseRule(number, line, fail));
    else lines.groups.push(parseGroup(number, line, section, fail));
  }
  return lines;
}

/**
 * Builds the list from the text of `api/search/words.txt`, which describes its form, and further
 * groups of synonyms: the phrases of such a group join the first concept that has one of them, or
 * become a separate concept. Throws with line and reason for an invalid text.
 */
export function buildWordList(
  text: string,
  synonyms: readonly (readonly string[])[] = [],
): WordList {
  const fail = (line: number, reason: string): never => {
    throw new Error(`words.txt:${line}: ${reason}`);
  };
  const lines = parseLines(text, fail);
  const ignored = new Set(lines.ignored.map(normalizeForSearch));
  const concepts: Concept[] = [];
  const byName = new Map<string, number>();
  const phrases = newNode();
  const lineOf = new Map<string, number>();
  const vocabulary = new Map<string, string>();
  const stems = new Set<string>();

  const split = (normalized: string) => {
    const words = normalized.split(' ').filter(Boolean);
    const meaningful = words.filter((word) => !ignored.has(word));
    return meaningful.length > 0 ? meaningful : words;
  };
  const lineKey = (words: readonly string[]) => words.map(stemOf).join(' ');
  const addPhrase = (words: readonly string[], concept: number) => {
    for (const word of words) stems.add(stemOf(word));
    let node = phrases;
    for (const word of words) {
      const stem = stemOf(word);
      const next = node.next.get(stem) ?? newNode();
      node.next.set(stem, next);
      node = next;
    }
    node.concept = concept;
  };
  const addSpellings = (phrase: string) => {
    for (const spelling of phrase.split(' ')) {
      const word = normalizeForSearch(spelling);
      if (word !== '' && !ignored.has(word) && !vocabulary.has(word))
        vocabulary.set(word, spelling);
    }
  };
  const findPhrase = (words: readonly string[]) => {
    let node: PhraseNode | undefined = phrases;
    for (const word of words) node = node?.next.get(stemOf(word));
    return node?.concept;
  };

  for (const { line, kind, name, phrases: own } of lines.groups) {
    if (byName.has(name)) fail(line, `the group ${name} is there twice`);
    const concept = concepts.push({ name, kind }) - 1;
    byName.set(name, concept);
    for (const phrase of own) {
      const words = split(normalizeForSearch(phrase));
      if (words.length === 0 || words.length > longestPhrase)
        fail(line, `“${phrase}” has no words, or more than ${longestPhrase}`);
      if (words.every((word) => ignored.has(word)))
        fail(line, `“${phrase}” consists of ignored words`);
      const other = findPhrase(words);
      if (other !== undefined && other !== concept)
        fail(line, `“${phrase}” is in line ${lineOf.get(lineKey(words))} too`);
      addPhrase(words, concept);
      addSpellings(phrase);
      lineOf.set(lineKey(words), line);
    }
  }
  const find = (line: number, name: string) =>
    byName.get(name) ?? fail(line, `there is no group ${name}`);
  const rules = lines.rules.map(({ line, named, meant }) => ({
    named: named.map((name) => find(line, name)),
    meant: meant.map((name) => find(line, name)),
  }));

  for (const group of synonyms) {
    const all = group
      .map((phrase) => split(normalizeForSearch(phrase)))
      .filter((words) => words.length > 0 && words.length <= longestPhrase);
    const own = all.map(findPhrase);
    const known = own.find((concept) => concept !== undefined);
    const concept = known ?? concepts.push({ name: group[0] ?? '', kind: 'thing' }) - 1;
    for (const [at, words] of all.entries()) if (own[at] === undefined) addPhrase(words, concept);
    group.forEach(addSpellings);
  }

  // The stem of a word, or that of the word without a joined particle if only this one is known.
  const knownStem = (word: string) => {
    const stem = stemOf(word);
    if (stems.has(stem)) return stem;
    const rest = withoutParticle(word);
    const other = rest === undefined ? stem : stemOf(rest);
    return stems.has(other) ? other : stem;
  };
  /** Calls `onPhrase` with the end and the concept of each phrase that begins at `from`. */
  const readPhrases = (
    keys: readonly string[],
    from: number,
    onPhrase: (end: number, concept: number) => void,
  ) => {
    let node: PhraseNode | undefined = phrases;
    for (let at = from; at < keys.length; at += 1) {
      node = node.next.get(keys[at] as string);
      if (!node) return;
      if (node.concept !== undefined) onPhrase(at + 1, node.concept);
    }
  };
  const segment = (words: readonly string[]): Segment[] => {
    const keys = words.map(knownStem);
    const segments: Segment[] = [];
    for (let at = 0; at < words.length;) {
      let [end, concept]: [number, number | undefined] = [at + 1, undefined];
      readPhrases(keys, at, (longest, its) => ([end, concept] = [longest, its]));
      segments.push({ words: words.slice(at, end), concept });
      at = end;
    }
    return segments;
  };
  const conceptsIn = (keys: readonly string[]) => {
    const [longest, all]: [number[], number[]] = [[], []];
    let next = 0;
    for (let at = 0; at < keys.length; at += 1) {
      let [end, concept]: [number, number | undefined] = [at + 1, undefined];
      readPhrases(keys, at, (its, each) => {
        [end, concept] = [its, each];
        if (!all.includes(each)) all.push(each);
      });
      if (at < next) continue;
      next = end;
      if (concept !== undefined && !longest.includes(concept)) longest.push(concept);
    }
    // The index keeps them; V8 reserves 17 places for an array that grows.
    return { longest: longest.slice(), all: all.slice() };
  };
  return {
    concepts,
    rules,
    usualAction: concepts.findIndex(({ kind }) => kind === 'action'),
    vocabulary,
    isKnown: (word) => stems.has(knownStem(word)),
    isIgnored: (word) => ignored.has(word),
    split,
    segment,
    keyOf: knownStem,
    conceptsIn,
    conceptsBeginning: (text) => [
      ...new Set(
        [...phrases.next].flatMap(([stem, { concept }]) =>
          concept !== undefined && stem.startsWith(text) ? concept : [],
        ),
      ),
    ],
  };
}

const wordsFile = new URL('../../../../search/words.txt', import.meta.url);

/** The text of `api/search/words.txt`. */
export function readWords(): string {
  return readFileSync(wordsFile, 'utf8');
}
