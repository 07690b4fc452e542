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

/** Words that mean the same. Those of an agency find its own services only: decision 0157. */
export interface SynonymWords {
  words: readonly string[];
  agencyId: number | null;
}

/** The groups of synonyms of an agency. Their numbers are those of all agencies together. */
interface AgencyWords {
  phrases: PhraseTree;
  /** The numbers of its groups, and the concepts that their words name for everybody. */
  groups: Map<number, Set<number>>;
}

/** The words and meanings that search knows besides the catalogue. */
export interface WordList {
  concepts: readonly Concept[];
  /** By the id of the agency. */
  agencyWords: ReadonlyMap<number, AgencyWords>;
  /** How many groups the agencies have together. */
  agencyGroupsCount: number;
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

/** The phrases of all concepts, by the stems of their words. */
class PhraseTree {
  private readonly root = newNode();
  private readonly stems = new Set<string>();

  add(words: readonly string[], concept: number): void {
    for (const word of words) this.stems.add(stemOf(word));
    let node = this.root;
    for (const word of words) {
      const stem = stemOf(word);
      const next = node.next.get(stem) ?? newNode();
      node.next.set(stem, next);
      node = next;
    }
    node.concept = concept;
  }

  /** The concept of exactly these words. */
  find(words: readonly string[]): number | undefined {
    let node: PhraseNode | undefined = this.root;
    for (const word of words) node = node?.next.get(stemOf(word));
    return node?.concept;
  }

  isKnown(stem: string): boolean {
    return this.stems.has(stem);
  }

  /** Calls `onPhrase` with the end and the concept of each phrase that begins at `from`. */
  read(
    keys: readonly string[],
    from: number,
    onPhrase: (end: number, concept: number) => void,
  ): void {
    let node: PhraseNode | undefined = this.root;
    for (let at = from; at < keys.length; at += 1) {
      node = node.next.get(keys[at] as string);
      if (!node) return;
      if (node.concept !== undefined) onPhrase(at + 1, node.concept);
    }
  }

  /** The concepts of the longest phrases, and of all phrases, in a text of these keys. */
  conceptsIn(keys: readonly string[]): { longest: number[]; all: number[] } {
    const [longest, all]: [number[], number[]] = [[], []];
    let next = 0;
    for (let at = 0; at < keys.length; at += 1) {
      let [end, concept]: [number, number | undefined] = [at + 1, undefined];
      this.read(keys, at, (its, each) => {
        [end, concept] = [its, each];
        if (!all.includes(each)) all.push(each);
      });
      if (at < next) continue;
      next = end;
      if (concept !== undefined && !longest.includes(concept)) longest.push(concept);
    }
    // The index keeps them; V8 reserves 17 places for an array that grows.
    return { longest: longest.slice(), all: all.slice() };
  }

  /** The stem of a word, or that of the word without a joined particle if only this one is known. */
  keyOf(word: string): string {
    const stem = stemOf(word);
    if (this.isKnown(stem)) return stem;
    const rest = withoutParticle(word);
    const other = rest === undefined ? stem : stemOf(rest);
    return this.isKnown(other) ? other : stem;
  }

  /** Splits words into the longest phrases, and the words that are in none. */
  segment(words: readonly string[]): Segment[] {
    const keys = words.map((word) => this.keyOf(word));
    const segments: Segment[] = [];
    for (let at = 0; at < words.length;) {
      let [end, concept]: [number, number | undefined] = [at + 1, undefined];
      this.read(keys, at, (longest, its) => ([end, concept] = [longest, its]));
      segments.push({ words: words.slice(at, end), concept });
      at = end;
    }
    return segments;
  }

  conceptsBeginning(text: string): number[] {
    const found = [...this.root.next].flatMap(([stem, { concept }]) =>
      concept !== undefined && stem.startsWith(text) ? concept : [],
    );
    return [...new Set(found)];
  }
}

/** What the lines of the file and the groups of synonyms fill. */
class WordListParts {
  readonly concepts: Concept[] = [];
  readonly phrases = new PhraseTree();
  readonly vocabulary = new Map<string, string>();
  readonly agencyWords = new Map<number, AgencyWords>();
  agencyGroupsCount = 0;
  readonly ignored: ReadonlySet<string>;

  constructor(ignored: readonly string[]) {
    this.ignored = new Set(ignored.map(normalizeForSearch));
  }

  split(normalized: string): string[] {
    const words = normalized.split(' ').filter(Boolean);
    const meaningful = words.filter((word) => !this.ignored.has(word));
    return meaningful.length > 0 ? meaningful : words;
  }

  private addSpellings(phrase: string): void {
    for (const spelling of phrase.split(' ')) {
      const word = normalizeForSearch(spelling);
      if (word !== '' && !this.ignored.has(word) && !this.vocabulary.has(word))
        this.vocabulary.set(word, spelling);
    }
  }

  /** Adds the groups of the file; returns the concepts by name. */
  addGroups(groups: Lines['groups'], fail: Fail): ReadonlyMap<string, number> {
    const byName = new Map<string, number>();
    const lineOf = new Map<string, number>();
    const lineKey = (words: readonly string[]) => words.map(stemOf).join(' ');
    for (const { line, kind, name, phrases: own } of groups) {
      if (byName.has(name)) fail(line, `the group ${name} is there twice`);
      const concept = this.concepts.push({ name, kind }) - 1;
      byName.set(name, concept);
      for (const phrase of own) {
        const words = this.split(normalizeForSearch(phrase));
        if (words.length === 0 || words.length > longestPhrase)
          fail(line, `“${phrase}” has no words, or more than ${longestPhrase}`);
        if (words.every((word) => this.ignored.has(word)))
          fail(line, `“${phrase}” consists of ignored words`);
        const other = this.phrases.find(words);
        if (other !== undefined && other !== concept)
          fail(line, `“${phrase}” is in line ${lineOf.get(lineKey(words))} too`);
        this.phrases.add(words, concept);
        this.addSpellings(phrase);
        lineOf.set(lineKey(words), line);
      }
    }
    return byName;
  }

  private readPhrases(group: readonly string[]): string[][] {
    return group
      .map((phrase) => this.split(normalizeForSearch(phrase)))
      .filter((words) => words.length > 0 && words.length <= longestPhrase);
  }

  /** Adds a group of synonyms: to the first concept that has one of them, or to a new one. */
  addSynonyms(group: readonly string[]): void {
    const all = this.readPhrases(group);
    const own = all.map((words) => this.phrases.find(words));
    const known = own.find((concept) => concept !== undefined);
    const concept = known ?? this.concepts.push({ name: group[0] ?? '', kind: 'thing' }) - 1;
    for (const [at, words] of all.entries())
      if (own[at] === undefined) this.phrases.add(words, concept);
    for (const phrase of group) this.addSpellings(phrase);
  }

  /**
   * Adds a group of an agency, after those of everybody: to the first group of the agency that has one
   * of its words, or to a new one. What others search and how it is split stays as it is.
   */
  addAgencyGroup(agencyId: number, group: readonly string[]): void {
    const known = this.agencyWords.get(agencyId);
    const own = known ?? { phrases: new PhraseTree(), groups: new Map<number, Set<number>>() };
    this.agencyWords.set(agencyId, own);
    const all = this.readPhrases(group);
    const joined = all.map((words) => own.phrases.find(words)).find((each) => each !== undefined);
    const number = joined ?? this.agencyGroupsCount++;
    const concepts = own.groups.get(number) ?? new Set<number>();
    own.groups.set(number, concepts);
    for (const words of all) {
      if (own.phrases.find(words) === undefined) own.phrases.add(words, number);
      const concept = this.phrases.find(words);
      if (concept !== undefined) concepts.add(concept);
    }
  }
}

function readRules(rules: Lines['rules'], byName: ReadonlyMap<string, number>, fail: Fail): Rule[] {
  const find = (line: number, name: string) =>
    byName.get(name) ?? fail(line, `there is no group ${name}`);
  return rules.map(({ line, named, meant }) => ({
    named: named.map((name) => find(line, name)),
    meant: meant.map((name) => find(line, name)),
  }));
}

/**
 * Builds the list from the text of `api/search/words.txt`, which describes its form, and further
 * groups of synonyms: the phrases of such a group join the first concept that has one of them, or
 * become a separate concept; those of an agency are apart. Throws with line and reason for an invalid text.
 */
export function buildWordList(text: string, synonyms: readonly SynonymWords[] = []): WordList {
  const fail: Fail = (line, reason) => {
    throw new Error(`words.txt:${line}: ${reason}`);
  };
  const lines = parseLines(text, fail);
  const parts = new WordListParts(lines.ignored);
  const rules = readRules(lines.rules, parts.addGroups(lines.groups, fail), fail);
  for (const { words, agencyId } of synonyms) if (agencyId === null) parts.addSynonyms(words);
  for (const { words, agencyId } of synonyms)
    if (agencyId !== null) parts.addAgencyGroup(agencyId, words);
  const { concepts, phrases, vocabulary, agencyWords, agencyGroupsCount } = parts;
  return {
    concepts,
    agencyWords,
    agencyGroupsCount,
    rules,
    usualAction: concepts.findIndex(({ kind }) => kind === 'action'),
    vocabulary,
    isKnown: (word) => phrases.isKnown(phrases.keyOf(word)),
    isIgnored: (word) => parts.ignored.has(word),
    split: (normalized) => parts.split(normalized),
    segment: (words) => phrases.segment(words),
    keyOf: (word) => phrases.keyOf(word),
    conceptsIn: (keys) => phrases.conceptsIn(keys),
    conceptsBeginning: (beginning) => phrases.conceptsBeginning(beginning),
  };
}

const wordsFile = new URL('../../../../search/words.txt', import.meta.url);

/** The text of `api/search/words.txt`. */
export function readWords(): string {
  return readFileSync(wordsFile, 'utf8');
}
