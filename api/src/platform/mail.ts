import { createTransport } from 'nodemailer';
import { directionOf, type Language } from '@diwan/contract/languages';
import { callOutside } from './outside-call.ts';

/** A message in one language; `text` is plain, its paragraphs parted by empty lines. */
export interface Mail {
  to: string;
  language: Language;
  subject: string;
  text: string;
}

/** Hands mail over. `once` is the same for each try of one message, so that it arrives once. Throws when it is not taken. */
export interface MailGateway {
  send(mail: Mail, once?: string): Promise<void>;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// Mail programs read the direction of an Arabic text from HTML alone. Addresses become links by themselves.
function htmlOf({ language, text }: Mail): string {
  const paragraphs = text.split('\n\n').map((part) => `<p>${escape(part).replaceAll('\n', '<br>')}</p>`).join('');
  return `<!doctype html><html lang="${language.slice(0, 2)}" dir="${directionOf(language)}"><body>${paragraphs}</body></html>`;
}

/** A mail server by SMTP, such as `smtps://user:password@mail.example`. */
export function smtpMailGateway(url: string, from: string): MailGateway {
  const transport = createTransport({ url, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000, disableFileAccess: true, disableUrlAccess: true }, { from });
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(mail, once) {
      // Two mails of one Message-ID are one to most mailboxes (RFC 5322 §3.6.4).
      await transport.sendMail({ ...(once ? { messageId: `<${once}@${host}>` } : {}), to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text, html: htmlOf(mail), headers: { 'Content-Language': mail.language } });
    },
  };
}

/** A gateway over HTTP; the sandbox is one. */
export function httpMailGateway(url: string, key: string): MailGateway {
  return {
    async send(mail, once) {
      await callOutside(`${url.replace(/\/$/, '')}/mail`, key, mail, once);
    },
  };
}
