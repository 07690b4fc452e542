import { ValidationRefusal } from './refusals.ts';

// Nobody's answers come near these; a body of a megabyte could hold half a million values, or lists
// as deep as the stack.
const mostLevels = 12;
const mostValues = 5000;
// Unicode's stream-safe format (UAX 15) has 30 marks on one letter at most. Bringing them into
// order takes the square of their number: minutes for a body of a megabyte.
const mostMarks = 64;

function hasTooManyMarks(text: string): boolean {
  if (text.length <= mostMarks) return false;
  for (const [marks] of text.matchAll(/\p{M}+/gu)) if (marks.length > mostMarks) return true;
  return false;
}

// Beside what the person filled in, not thousands of items or a dozen levels within it.
const outermost = (field: string): string => field.split('.').slice(0, 2).join('.');

function clean(value: unknown, field: string, level: number, budget: { left: number }): unknown {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed() || hasTooManyMarks(value))
      throw new ValidationRefusal([{ field, code: 'unreadableText' }]);
    return value.normalize('NFC');
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  budget.left -= entries.length;
  if (level >= mostLevels || budget.left < 0)
    throw new ValidationRefusal([{ field: outermost(field), code: 'wrongType' }]);
  if (Array.isArray(value))
    return value.map((item, index) => clean(item, `${field}.${index}`, level + 1, budget));
  return Object.fromEntries(
    entries.map(([key, item]) => [
      clean(key, field, level, budget) as string,
      clean(item, field === 'body' ? key : `${field}.${key}`, level + 1, budget),
    ]),
  );
}

/**
 * Brings every text of a value to NFC and refuses what PostgreSQL cannot keep: NUL and lone
 * surrogates (design §12); also values that are
 * deeper or more than anybody means to send. Returns a new value.
 */
export function cleanText(value: unknown): unknown {
  return clean(value, 'body', 0, { left: mostValues });
}
