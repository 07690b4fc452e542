import type { LocalizedText } from '../wire/languages.ts';
import { withoutSeparators, readValue, type ValueProblem } from './answer-values.ts';
import type { FormField } from './forms.ts';

/**
 * The parts of a UAE address, in the order of the form. `makani` is the ten-digit number at
 * entrances in Dubai and other emirates.
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
/** An address as it is stored: only the parts that were given, none of them empty. */
export type Address = Partial<Record<AddressPart, string>>;

const requiredParts: readonly AddressPart[] = ['emirate', 'area'];
const maximumLengths: Record<AddressPart, number> = {
  emirate: 40,
  area: 100,
  street: 100,
  building: 100,
  unit: 40,
  makani: 40,
  landmark: 200,
};
const title: LocalizedText = { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' };

/** The form field of a part; the portal has its own title for it. */
export function getAddressField(part: AddressPart): FormField {
  return {
    name: part,
    kind: part === 'emirate' ? 'emirate' : 'text',
    title,
    required: requiredParts.includes(part),
    ...(part === 'emirate' ? {} : { maxLength: maximumLengths[part] }),
  };
}

interface AddressResult {
  value: Address;
  issues: ({ part: string } & ValueProblem)[];
  isEmpty: boolean;
}

/**
 * Validates an address. Issues name the part; a value that is not an address has one issue without
 * a part. `today` is YYYY-MM-DD in Asia/Dubai. Never throws.
 */
export function readAddressAnswer(raw: unknown, isRequired: boolean, today: string): AddressResult {
  if (raw !== undefined && raw !== null && (typeof raw !== 'object' || Array.isArray(raw)))
    return { value: {}, issues: [{ part: '', code: 'wrongType' }], isEmpty: false };
  const given = (raw ?? {}) as Record<string, unknown>;
  const found = addressParts.map((part) => {
    const read = readValue(
      getAddressField(part),
      Object.hasOwn(given, part) ? given[part] : undefined,
      today,
    );
    if (part !== 'makani' || read === 'nothing' || 'wrong' in read) return { part, read };
    const digits = withoutSeparators(String(read.value));
    return {
      part,
      read: /^\d{10}$/.test(digits)
        ? { value: digits }
        : { wrong: { code: 'makani' } as ValueProblem },
    };
  });
  const unknown = Object.keys(given).filter(
    (part) => !addressParts.some((known) => known === part),
  );
  const isEmpty = unknown.length === 0 && found.every(({ read }) => read === 'nothing');
  if (isEmpty && !isRequired) return { value: {}, issues: [], isEmpty };
  const issues = found.flatMap(({ part, read }): AddressResult['issues'] => {
    if (read === 'nothing') return requiredParts.includes(part) ? [{ part, code: 'required' }] : [];
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
