/** Finds the words of a vocabulary that differ from a misspelt one by typing errors. */
export interface Misspellings {
  /** The most similar word, or `undefined`. Words of equal distance: the first of the vocabulary. */
  correct(word: string): string | undefined;
}

// One letter turns a shorter word into another one.
const minimumLength = 4;
const maximumLength = 24;
// Longer words may have an error in their first letter, or a letter too many and another one missing.
const longWord = 8;

const wordsAtMost = 1_048_576;

const isCorrectable = (word: string) =>
  word.length >= minimumLength && word.length <= maximumLength && !/\d/.test(word);

function hash(text: string, without: number): number {
  let value = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1)
    if (at !== without) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
  return value >>> 0;
}

/**
 * The number of typing errors between two words, up to `limit`; more are Infinity. An error is a
 * letter added, missing or replaced, or two neighbours exchanged.
 */
function countErrors(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      let least = Math.min(
        (last[at] as number) + 1,
        (line[at - 1] as number) + 1,
        (last[at - 1] as number) + (isSame ? 0 : 1),
      );
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1])
        least = Math.min(least, (before[at - 2] as number) + 1);
      line.push(least);
    }
    [before, last] = [last, line];
  }
  const errors = last[other.length] as number;
  return errors <= limit ? errors : Number.POSITIVE_INFINITY;
}

/**
 * Indexes each word by the hashes of itself and of itself without one letter: two words with one
 * error between them share a hash. `vocabulary`: the words worth finding first.
 */
export function indexMisspellings(vocabulary: readonly string[]): Misspellings {
  const words = vocabulary.filter(isCorrectable);
  const length = words.reduce((total, word) => total + word.length + 1, 0);
  // A hash and the index of its word in one number, so that they are sorted together.
  const entries = new Float64Array(length);
  let end = 0;
  for (const [index, word] of words.entries())
    for (let at = -1; at < word.length; at += 1)
      entries[end++] = hash(word, at) * wordsAtMost + (index % wordsAtMost);
  entries.sort();

  const firstOf = (value: number) => {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((entries[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** The words that share a hash with this one; some more than once. */
  const similarTo = (word: string) => {
    const found: number[] = [];
    for (let at = -1; at < word.length; at += 1) {
      const first = hash(word, at) * wordsAtMost;
      for (let entry = firstOf(first); entry < entries.length; entry += 1) {
        const index = (entries[entry] as number) - first;
        if (index >= wordsAtMost) break;
        found.push(index);
      }
    }
    return found;
  };
  return {
    correct(word) {
      if (!isCorrectable(word)) return undefined;
      const isLong = word.length >= longWord;
      let best: { index: number; errors: number } | undefined;
      for (const index of similarTo(word)) {
        const other = words[index] as string;
        if (other[0] !== word[0] && !isLong) continue;
        const errors = countErrors(word, other, isLong ? 2 : 1);
        if (errors === Number.POSITIVE_INFINITY) continue;
        if (!best || errors < best.errors || (errors === best.errors && index < best.index))
          best = { index, errors };
      }
      return best && words[best.index];
    },
  };
}
