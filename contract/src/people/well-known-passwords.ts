/**
 * Words that guessing programs try first, and those of this product and this country. Longer ones
 * come before words inside them.
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

/** Rows of keys and of the alphabet; a walk along one, in either direction, is no secret. */
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

/** What is left of a password beside what everybody knows has to be at least this long. */
const leastOwn = 5;

/** People write letters as signs; guessing programs know how. */
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
const withoutSigns = (text: string): string =>
  [...text].map((letter) => signs[letter] ?? letter).join('');

function walkLength(text: string, start: number): number {
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

function repeatLength(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] === text[start]) end += 1;
  return end - start >= 3 ? end - start : 0;
}

/**
 * How much of a text, from a place on, is known: a word, a walk, a year, or one letter over and
 * over.
 */
function knownLength(text: string, start: number, known: readonly string[]): number {
  const word = known.find((one) => text.startsWith(one, start))?.length ?? 0;
  const year = /^(?:19|20)\d\d/.test(text.slice(start)) ? 4 : 0;
  return Math.max(word, year, walkLength(text, start), repeatLength(text, start));
}

function ownLength(text: string, known: readonly string[]): number {
  const plain = withoutSigns(text);
  let count = 0;
  for (let at = 0; at < text.length;) {
    // As it is written or as it is meant: both have the same length.
    const length = Math.max(knownLength(text, at, known), knownLength(plain, at, known));
    // A sign beside known words adds next to nothing.
    if (length === 0 && /[\p{L}\p{N}]/u.test(text[at] ?? '')) count += 1;
    at += length || 1;
  }
  return count;
}

/**
 * Whether a password is made of what guessing programs try first: common words, walks over the
 * keyboard, years, repetitions, the names in
 * `ownWords` (such as the username), with letters written as signs or not. Never throws; a text of
 * 50 characters takes microseconds.
 */
export function isWellKnownPassword(password: string, ownWords: readonly string[] = []): boolean {
  const text = password.toLowerCase();
  const own = ownWords.map((word) => word.toLowerCase()).filter((word) => word.length >= 3);
  const known = [...own, ...own.map(withoutSigns), ...words].sort(
    (one, other) => other.length - one.length,
  );
  if (/^(.{1,8}?)\1+.{0,3}$/su.test(text)) return true;
  return ownLength(text, known) < leastOwn;
}
