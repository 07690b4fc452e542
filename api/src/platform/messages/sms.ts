import { sendToGateway } from '../integrations/http-client.ts';

/** Sends SMS. */
export interface SmsGateway {
  /**
   * `phoneNumber` in E.164. The idempotency key is the same for every attempt at one message, so
   * that the gateway sends it once. Throws when the gateway does not accept the message.
   */
  send(phoneNumber: string, text: string, idempotencyKey?: string): Promise<void>;
}

/** A gateway over HTTP. It gets the key in the header Idempotency-Key. */
export function httpSmsGateway(url: string, key: string): SmsGateway {
  const base = url.replace(/\/$/, '');
  return {
    async send(phoneNumber, text, idempotencyKey) {
      await sendToGateway(`${base}/sms`, key, { phoneNumber, text }, idempotencyKey);
    },
  };
}

// The characters of GSM 03.38. Those of the extended set take two places.
const basicCharacters = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extendedCharacters = new Set('^{}\\[~]|€\f');

/**
 * The number of messages that an SMS is sent and billed as. One message has 160 characters, each of
 * several 153. With any character outside of GSM 03.38 (UCS-2) it is 70 and 67.
 */
export function countSmsSegments(text: string): number {
  const characters = [...text];
  const isGsm = characters.every(
    (character) => basicCharacters.has(character) || extendedCharacters.has(character),
  );
  const length = isGsm
    ? characters.length + characters.filter((character) => extendedCharacters.has(character)).length
    : text.length;
  const [single, each] = isGsm ? [160, 153] : [70, 67];
  return length <= single ? 1 : Math.ceil(length / each);
}
