/**
 * Words that password-guessing programs try first, and words of this product and this country.
 * Longer words come before words that they contain.
 */
const words = [
  'administrator',
  'emirates',
  'government',
  'password',
  'passwort',
  'superman',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'computer',
  'internet',
  'bismillah',
  'iloveyou',
  'trustno1',
  'whatever',
  'starwars',
  'pakistan',
  'sharjah',
  'abudhabi',
  'alhamdulillah',
  'changeme',
  'letmein',
  'welcome',
  'default',
  'company',
  'service',
  'charlie',
  'michael',
  'mohammed',
  'mohammad',
  'muhammad',
  'freedom',
  'monkey',
  'dragon',
  'master',
  'shadow',
  'secret',
  'summer',
  'winter',
  'spring',
  'autumn',
  'jordan',
  'pass',
  'portal',
  'diwan',
  'dubai',
  'ajman',
  'admin',
  'login',
  'hello',
  'habibi',
  'allah',
  'ahmed',
  'india',
  'cairo',
  'qatar',
  'saudi',
  'kuwait',
  'guest',
  'user',
  'root',
  'test',
  'demo',
  'temp',
  'love',
  'my',
  'the',
  'new',
  'uae',
  'abc',
].sort((one, other) => other.length - one.length);

/**
 * Rows of keys and of the alphabet; a sequence along one, in either direction, is easy to guess.
 */
const rows = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'abcdefghijklmnopqrstuvwxyz',
  '!@#$%^&*',
];
const walks = [...rows, ...rows.map((row) => [...row].reverse().join(''))];
const shortestWalk = 3;

/** The smallest number of characters that are not part of known words and sequences. */
const minimumUnknownCharacters = 5;

/** Signs that people write instead of letters; guessing programs know them. */
const signs: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '8': 'b',
};
const withLettersForSigns = (text: string): string =>
  [...text].map((letter) => signs[letter] ?? letter).join('');

function measureKeyboardWalk(text: string, start: number): number {
  let longest = 0;
  for (const walk of walks) {
    for (
      let length = shortestWalk;
      start + length <= text.length && walk.includes(text.slice(start, start + length));
      length += 1
    )
      longest = Math.max(longest, length);
  }
  return longest;
}

function measureRepetition(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] === text[start]) end += 1;
  return end - start >= 3 ? end - start : 0;
}

/**
 * The length of the known part of a text that begins at a position: a word, a keyboard sequence, a
 * year, or one repeated letter.
 */
function kncountUnknownCharacters(text: string, start: number, known: readonly string[]): number {
  const word = known.find((one) => text.startsWith(one, start))?.length ?? 0;
  const year = /^(?:19|20)\d\d/.test(text.slice(start)) ? 4 : 0;
  return Math.max(word, year, measureKeyboardWalk(text, start), measureRepetition(text, start));
}

function countUnknownCharacters(text: string, known: readonly string[]): number {
  const plain = withLettersForSigns(text);
  let count = 0;
  for (let at = 0; at < text.length;) {
    // The text with signs and the text with letters have the same length.
    const length = Math.max(
      kncountUnknownCharacters(text, at, known),
      kncountUnknownCharacters(plain, at, known),
    );
    // Signs beside known words do not count.
    if (length === 0 && /[\p{L}\p{N}]/u.test(text[at] ?? '')) count += 1;
    at += length || 1;
  }
  return count;
}

/**
 * Whether a password consists mostly of what guessing programs try first: common words, keyboard
 * sequences, years, repetitions and `personalNames` (such as the username), with or without signs
 * for letters. Never throws; 50 characters take microseconds.
 */
export function isWellKnownPassword(
  password: string,
  personalNames: readonly string[] = [],
): boolean {
  const text = password.toLowerCase();
  const own = personalNames.map((word) => word.toLowerCase()).filter((word) => word.length >= 3);
  const known = [...own, ...own.map(withLettersForSigns), ...words].sort(
    (one, other) => other.length - one.length,
  );
  if (/^(.{1,8}?)\1+.{0,3}$/su.test(text)) return true;
  return countUnknownCharacters(text, known) < minimumUnknownCharacters;
}
