import { handToGateway } from '../integrations/outside-call.ts';

/**
 * Sends short messages. `phoneNumber` in E.164; `once` is the same for each try of one message, so
 * that the gateway sends it once. Throws when it is not taken.
 */
export interface SmsGateway {
  send(phoneNumber: string, text: string, once?: string): Promise<void>;
}

/** A gateway over HTTP; `once` travels as the header Idempotency-Key. */
export function httpSmsGateway(url: string, key: string): SmsGateway {
  const base = url.replace(/\/$/, '');
  return {
    async send(phoneNumber, text, once) {
      await handToGateway(`${base}/sms`, key, { phoneNumber, text }, once);
    },
  };
}
