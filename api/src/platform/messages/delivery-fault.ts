import type { MessageFault } from '@diwan/contract/requests/messages';
import { OutsideRefusal } from '../integrations/outside-call.ts';

/**
 * Why a message was not taken, and whether another try is in vain. `detail` is for an admin and
 * holds no address.
 */
export interface DeliveryFault {
  fault: MessageFault;
  isForGood: boolean;
  detail: string;
}

/** A gateway that did not say in time whether it took a message. */
export class GatewayTooSlow extends Error {}

// What these say is of the message. 401, 403 and 404 speak of our key and address, 429 of too many:
// those pass.
const forGood = [400, 410, 413, 422];
const mostSigns = 200;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

// A mail server repeats the address that it refuses.
const withoutAddresses = (text: string) =>
  text
    .replace(/[^\s<>"']+@[^\s<>"']+|\+?\d[\d -]{6,}\d/g, '…')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, mostSigns);

/**
 * Reads what a gateway threw: over HTTP its status, over SMTP the code of its reply (RFC 5321: 5xx
 * is for good).
 */
export function readFault(error: unknown): DeliveryFault {
  if (error instanceof OutsideRefusal) {
    const isForGood = forGood.includes(error.status);
    return {
      fault: isForGood ? 'addressRefused' : 'gatewayRefused',
      isForGood,
      detail: error.detail,
    };
  }
  const { code, responseCode, response, message, name } = Object(error) as {
    code?: unknown;
    responseCode?: unknown;
    response?: unknown;
    message?: unknown;
    name?: unknown;
  };
  const detail = withoutAddresses(
    [code, isText(response) ? response : message].filter(isText).join(' '),
  );
  if (typeof responseCode === 'number') {
    // EENVELOPE: sender or recipient, EMESSAGE: the text. Everything else is of the connection or
    // our sign-in.
    const isForGood = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
    return { fault: isForGood ? 'addressRefused' : 'gatewayRefused', isForGood, detail };
  }
  if (error instanceof GatewayTooSlow || name === 'TimeoutError' || code === 'ETIMEDOUT')
    return { fault: 'gatewayTooSlow', isForGood: false, detail };
  return { fault: 'gatewayUnreachable', isForGood: false, detail };
}
