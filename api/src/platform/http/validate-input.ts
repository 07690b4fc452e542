import type { z } from 'zod';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { ValidationRefusal } from '../core/refusals.ts';

// Real input stays far below these limits. A body of a megabyte could contain half a million values,
// or lists as deep as the stack.
const maximumDepth = 12;
const maximumValues = 5000;
// Unicode's stream-safe format (UAX 15) allows 30 marks on one letter. The time to normalise them
// grows with the square of their number: minutes for a body of a megabyte.
const maximumMarks = 64;

function hasTooManyMarks(text: string): boolean {
  if (text.length <= maximumMarks) return false;
  for (const [marks] of text.matchAll(/\p{M}+/gu)) if (marks.length > maximumMarks) return true;
  return false;
}

// The message belongs beside the field of the form, not beside an item deep within it.
const formField = (path: string): string => path.split('.').slice(0, 2).join('.');

function sanitizeText(text: string, field: string): string {
  if (text.includes('\u0000') || !text.isWellFormed() || hasTooManyMarks(text))
    throw new ValidationRefusal([{ field, code: 'unreadableText' }]);
  return text.normalize('NFC');
}

function sanitize(value: unknown, field: string, depth: number, budget: { left: number }): unknown {
  if (typeof value === 'string') return sanitizeText(value, field);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  budget.left -= entries.length;
  if (depth >= maximumDepth || budget.left < 0)
    throw new ValidationRefusal([{ field: formField(field), code: 'wrongType' }]);
  if (Array.isArray(value))
    return value.map((item, index) => sanitize(item, `${field}.${index}`, depth + 1, budget));
  return Object.fromEntries(
    entries.map(([key, item]) => [
      sanitizeText(key, field),
      sanitize(item, field === 'body' ? key : `${field}.${key}`, depth + 1, budget),
    ]),
  );
}

/**
 * Returns a copy of a value with every text in NFC. Throws a `ValidationRefusal` for texts that
 * PostgreSQL cannot store (NUL and lone surrogates, design §12), and for a value that is too deep or
 * too large.
 */
export function sanitizeInput(value: unknown): unknown {
  return sanitize(value, 'body', 0, { left: maximumValues });
}

/**
 * The path of the first text in a value of a file that PostgreSQL cannot store, or that takes
 * minutes to normalise; undefined where all can be stored.
 */
export function sanitizeFileText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string')
    return value.includes('\u0000') || !value.isWellFormed() || hasTooManyMarks(value)
      ? path
      : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = sanitizeFileText(item, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Parses so that an issue has its input: a value of another type differs from a missing one.
 */
export const parseForIssues = <T extends z.ZodType>(schema: T, value: unknown) =>
  schema.safeParse(value, { reportInput: true });

/** The code of a problem that `parseForIssues` found, and the figures of its text. */
export function codeOf(issue: z.core.$ZodIssue): Pick<ValidationIssue, 'code' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return { code: issue.input === undefined || issue.input === null ? 'required' : 'wrongType' };
    case 'too_small':
      if (issue.origin === 'string')
        return Number(issue.minimum) <= 1
          ? { code: 'whitespace' }
          : { code: 'tooShort', params: { minimum: Number(issue.minimum) } };
      return { code: 'tooSmall', params: { minimum: Number(issue.minimum) } };
    case 'too_big':
      return {
        code: issue.origin === 'string' || issue.origin === 'array' ? 'tooLong' : 'tooLarge',
        params: { maximum: Number(issue.maximum) },
      };
    case 'unrecognized_keys':
      return { code: 'unknownField' };
    case 'invalid_value':
      return { code: 'notAllowed' };
    default:
      return { code: 'wrongType' };
  }
}

/**
 * Checks a part of a request against its schema and returns the parsed value; `undefined` without a
 * schema. Throws a `ValidationRefusal` whose fields are paths such as `answers.licenceNumber`.
 */
export function validateInput<T extends z.ZodType>(
  schema: T | undefined,
  value: unknown,
): z.output<T> | undefined {
  if (!schema) return undefined;
  const result = parseForIssues(schema, sanitizeInput(value ?? {}));
  if (result.success) return result.data;
  throw new ValidationRefusal(
    result.error.issues.map((issue) => ({
      field: issue.path.map(String).join('.') || 'body',
      ...codeOf(issue),
    })),
  );
}
