// A number of five digits is part of a phone, an identity, a request or a card; years and article
// numbers are shorter.
const looksPersonal = /@|https?:|www\.|\d{5,}|[\da-f]{8}-[\da-f]{4}/;

/**
 * Whether a typed text may contain personal data: an address, or five digits, with or without spaces
 * and dashes between them. Digits are Latin.
 */
export function mayBePersonal(text: string): boolean {
  const plain = text.toLowerCase();
  return (
    looksPersonal.test(plain) || looksPersonal.test(plain.replace(/(\d)[\s\-/.()+]+(?=\d)/g, '$1'))
  );
}
