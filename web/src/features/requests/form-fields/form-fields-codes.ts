import type { FieldKind } from '@diwan/contract/forms/forms';

const inFours = (text: string): string => text.replace(/(.{4})(?=.)/g, '$1 ');

/**
 * A code as people read it aloud and compare it: in groups. What is kept has no spaces;
 * `checkAnswers` takes both.
 */
export function groupedCode(kind: FieldKind, kept: string): string {
  if (kind === 'iban') return /^AE\d{21}$/.test(kept) ? inFours(kept) : kept;
  if (kind === 'trn') return kept.replace(/^(\d{3})(\d{4})(\d{4})(\d{4})$/, '$1 $2 $3 $4');
  return kind === 'mobile' ? kept.replace(/^(\+971)(\d{2})(\d{3})(\d{4})$/, '$1 $2 $3 $4') : kept;
}

/** A Makani number as it stands on the plate. */
export function groupedMakani(kept: string): string {
  return kept.replace(/^(\d{5})(\d{5})$/, '$1 $2');
}
