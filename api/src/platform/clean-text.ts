import { ValidationRefusal } from './refusals.ts';

/** Brings every text of a value to NFC and refuses what PostgreSQL cannot keep: NUL and lone surrogates (design §12). Returns a new value. */
export function cleanText(value: unknown, field = 'body'): unknown {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed()) throw new ValidationRefusal([{ field, code: 'unreadableText' }]);
    return value.normalize('NFC');
  }
  if (Array.isArray(value)) return value.map((item, index) => cleanText(item, `${field}.${index}`));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key, field) as string, cleanText(item, field === 'body' ? key : `${field}.${key}`)]));
  }
  return value;
}
