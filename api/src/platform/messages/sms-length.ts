// GSM 03.38: the letters of a message of seven bits each; those of the second set take two places.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('^{}\\[~]|€\f');

/**
 * How many messages an SMS is billed and sent as: 160 letters or 153 each of several; 70 or 67 as
 * soon as one letter is not Latin (UCS-2).
 */
export function smsSegments(text: string): number {
  const letters = [...text];
  const isGsm = letters.every((letter) => basic.has(letter) || extended.has(letter));
  const length = isGsm
    ? letters.length + letters.filter((letter) => extended.has(letter)).length
    : text.length;
  const [alone, each] = isGsm ? [160, 153] : [70, 67];
  return length <= alone ? 1 : Math.ceil(length / each);
}
