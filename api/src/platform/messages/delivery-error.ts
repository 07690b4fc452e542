import type { MessageError } from '@diwan/contract/requests/messages';
import { IntegrationError } from '../integrations/http-client.ts';

/**
 * Why a gateway did not accept a message. Another attempt at a permanent error is useless. `detail`
 * is for admins and contains no address.
 */
export interface DeliveryError {
  code: MessageError;
  isPermanent: boolean;
  detail: string;
}

/** A gateway did not answer in time, so it is unknown whether it accepted the message. */
export class GatewayTimeout extends Error {}

// These statuses are caused by the message. 401, 403 and 404 are caused by our key and address, and
// 429 by too many calls: a later attempt may succeed.
const permanentStatuses = [400, 410, 413, 422];
const maximumDetailLength = 200;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

// Mail servers repeat the address that they refuse.
const withoutAddresses = (text: string) =>
  text
    .replace(/[^\s<>"']+@[^\s<>"']+|\+?\d[\d -]{6,}\d/g, '…')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maximumDetailLength);

const refused = (isPermanent: boolean, detail: string): DeliveryError => ({
  code: isPermanent ? 'addressRefused' : 'gatewayRefused',
  isPermanent,
  detail,
});

/**
 * Reads the error of a gateway: over HTTP the status, over SMTP the code of the reply (RFC 5321: 5xx
 * is permanent).
 */
export function readDeliveryError(error: unknown): DeliveryError {
  if (error instanceof IntegrationError)
    return refused(permanentStatuses.includes(error.status), error.detail);
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
    // EENVELOPE is an error of the sender or the recipient, EMESSAGE of the text. Others are errors
    // of the connection or of our sign-in.
    return refused(responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'), detail);
  }
  if (error instanceof GatewayTimeout || name === 'TimeoutError' || code === 'ETIMEDOUT')
    return { code: 'gatewayTooSlow', isPermanent: false, detail };
  return { code: 'gatewayUnreachable', isPermanent: false, detail };
}
