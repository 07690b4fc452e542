import { compact, readValue, type Wrong } from './answer-values.ts';
import type { FormField } from './forms.ts';
import type { LocalizedText } from '../wire/languages.ts';

/**
 * The parts of an address in the UAE, in the order in which they are asked. `makani` is the number
 * of ten digits at an entrance in Dubai and other emirates.
 */
export const addressParts = [
  'emirate',
  'area',
  'street',
  'building',
  'unit',
  'makani',
  'landmark',
] as const;
export type AddressPart = (typeof addressParts)[number];
/** An address as it is kept: the parts that were given, none of them empty. */
export type Address = Partial<Record<AddressPart, string>>;

const required: readonly AddressPart[] = ['emirate', 'area'];
const lengths: Record<AddressPart, number> = {
  emirate: 40,
  area: 100,
  street: 100,
  building: 100,
  unit: 40,
  makani: 40,
  landmark: 200,
};
const title: LocalizedText = { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' };

/** A part as the field that it is; the title is the portal's own. */
export function addressField(part: AddressPart): FormField {
  return {
    name: part,
    kind: part === 'emirate' ? 'emirate' : 'text',
    title,
    required: required.includes(part),
    ...(part === 'emirate' ? {} : { maxLength: lengths[part] }),
  };
}

interface ReadAddress {
  value: Address;
  issues: ({ part: string } & Wrong)[];
  isEmpty: boolean;
}

/**
 * Judges an address. Issues name the part; a value that is no address at all has one issue without
 * a part. `today` is YYYY-MM-DD in Asia/Dubai. Never throws.
 */
export function readAddress(raw: unknown, isRequired: boolean, today: string): ReadAddress {
  if (raw !== undefined && raw !== null && (typeof raw !== 'object' || Array.isArray(raw)))
    return { value: {}, issues: [{ part: '', code: 'wrongType' }], isEmpty: false };
  const given = (raw ?? {}) as Record<string, unknown>;
  const found = addressParts.map((part) => {
    const read = readValue(
      addressField(part),
      Object.hasOwn(given, part) ? given[part] : undefined,
      today,
    );
    if (part !== 'makani' || read === 'nothing' || 'wrong' in read) return { part, read };
    const digits = compact(String(read.value));
    return {
      part,
      read: /^\d{10}$/.test(digits) ? { value: digits } : { wrong: { code: 'makani' } as Wrong },
    };
  });
  const unknown = Object.keys(given).filter(
    (part) => !addressParts.some((known) => known === part),
  );
  const isEmpty = unknown.length === 0 && found.every(({ read }) => read === 'nothing');
  if (isEmpty && !isRequired) return { value: {}, issues: [], isEmpty };
  const issues = found.flatMap(({ part, read }): ReadAddress['issues'] => {
    if (read === 'nothing') return required.includes(part) ? [{ part, code: 'required' }] : [];
    return 'wrong' in read ? [{ part, ...read.wrong }] : [];
  });
  const value = Object.fromEntries(
    found.flatMap(({ part, read }) =>
      read !== 'nothing' && 'value' in read ? [[part, String(read.value)]] : [],
    ),
  );
  return {
    value,
    issues: [...issues, ...unknown.map((part) => ({ part, code: 'unknownField' as const }))],
    isEmpty,
  };
}
