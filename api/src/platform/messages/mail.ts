import { createTransport } from 'nodemailer';
import { createTranslator } from '../core/locale-texts.ts';
import { sendToGateway } from '../integrations/http-client.ts';
import { mailHtml, type MailContent } from './mail-html.ts';

/** A mail to one person. */
export interface Mail extends MailContent {
  to: string;
}

/** Sends mail. */
export interface MailGateway {
  /**
   * The idempotency key is the same for every attempt at one mail, so that it arrives once. Throws
   * when the gateway does not accept the mail.
   */
  send(mail: Mail, idempotencyKey?: string): Promise<void>;
}

const shell = createTranslator('shell');

const openTransport = (url: string) =>
  createTransport({
    url,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Connects to a mail server and signs in, without sending mail. Throws what it answers. */
export async function verifyMailServer(url: string): Promise<void> {
  const transport = openTransport(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/**
 * A mail server by SMTP. `url` is such as `smtps://user:password@mail.example`. A sender `from` without
 * a name has that of the portal.
 */
export function smtpMailGateway(url: string, from: string): MailGateway {
  const transport = openTransport(url);
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(mail, idempotencyKey) {
      // Most mailboxes show two mails with one Message-ID once (RFC 5322 §3.6.4).
      await transport.sendMail({
        ...(idempotencyKey ? { messageId: `<${idempotencyKey}@${host}>` } : {}),
        from: from.includes('<') ? from : { name: shell('wordmark', mail.language), address: from },
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mailHtml(mail),
        headers: { 'Content-Language': mail.language },
      });
    },
  };
}

/** A gateway over HTTP, such as the sandbox. */
export function httpMailGateway(url: string, key: string): MailGateway {
  return {
    async send(mail, idempotencyKey) {
      await sendToGateway(`${url.replace(/\/$/, '')}/mail`, key, mail, idempotencyKey);
    },
  };
}
