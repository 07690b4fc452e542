import { groupedMobile } from '#ui/values/reference.tsx';
import type { FieldKind } from '@diwan/contract/forms/forms';

const inFours = (text: string): string => text.replace(/(.{4})(?=.)/g, '$1 ');

/** A code in groups for reading. Stored codes have no spaces; `checkAnswers` accepts both. */
export function groupedCode(kind: FieldKind, stored: string): string {
  if (kind === 'iban') return /^AE\d{21}$/.test(stored) ? inFours(stored) : stored;
  if (kind === 'trn') return stored.replace(/^(\d{3})(\d{4})(\d{4})(\d{4})$/, '$1 $2 $3 $4');
  return kind === 'mobile' ? groupedMobile(stored) : stored;
}

/** A Makani number in the format of its plate. */
export function groupedMakani(stored: string): string {
  return stored.replace(/^(\d{5})(\d{5})$/, '$1 $2');
}
