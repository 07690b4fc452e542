import { callOutside } from './outside-call.ts';

/** Sends short messages. `phoneNumber` in E.164. */
export interface SmsGateway {
  send(phoneNumber: string, text: string): Promise<void>;
}

/** A gateway over HTTP. */
export function httpSmsGateway(url: string, key: string): SmsGateway {
  const base = url.replace(/\/$/, '');
  return {
    async send(phoneNumber, text) {
      await callOutside(`${base}/sms`, key, { phoneNumber, text });
    },
  };
}
