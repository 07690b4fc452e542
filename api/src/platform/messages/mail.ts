import { createTransport } from 'nodemailer';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { handToGateway } from '../integrations/outside-call.ts';

/** A message in one language; `text` is plain, its paragraphs parted by empty lines. */
export interface Mail {
  to: string;
  language: Language;
  subject: string;
  text: string;
}

/**
 * Hands mail over. `once` is the same for each try of one message, so that it arrives once. Throws
 * when it is not taken.
 */
export interface MailGateway {
  send(mail: Mail, once?: string): Promise<void>;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// Not every mail program makes a link of an address, and each breaks a number at its hyphens. What
// stands alone in its line is ours: what staff and others wrote has none but the portal's
// (`message-fill.ts`).
const lineOf = (line: string) =>
  /^https?:\/\/[^\s\p{Cf}]+$/u.test(line)
    ? `<a href="${escape(line)}" dir="ltr">${escape(line)}</a>`
    : escape(line).replace(
        /[A-Z0-9]+(?:-[A-Z0-9]+)+/g,
        '<span style="white-space:nowrap">$&</span>',
      );

// Mail programs read the direction of an Arabic text from HTML alone, and many drop the styles of
// `body`. Nastaliq needs its height.
function htmlOf({ language, text }: Mail): string {
  const [tongue, direction] = [language.slice(0, 2), directionOf(language)];
  const paragraphs = text
    .split('\n\n')
    .map((part) => `<p style="margin:0 0 1em">${part.split('\n').map(lineOf).join('<br>')}</p>`)
    .join('');
  const style = `max-width:36em;margin:0 auto;padding:1em;font:16px/${language === 'ur-PK' ? 2.2 : 1.7} 'Segoe UI',Tahoma,Arial,sans-serif;overflow-wrap:anywhere`;
  return `<!doctype html><html lang="${tongue}" dir="${direction}"><head><meta charset="utf-8"></head><body><div lang="${tongue}" dir="${direction}" style="${style}">${paragraphs}</div></body></html>`;
}

/** A mail server by SMTP, such as `smtps://user:password@mail.example`. */
export function smtpMailGateway(url: string, from: string): MailGateway {
  const transport = createTransport(
    {
      url,
      connectionTimeout: 5000,
      greetingTimeout: 5000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(mail, once) {
      // Two mails of one Message-ID are one to most mailboxes (RFC 5322 §3.6.4).
      await transport.sendMail({
        ...(once ? { messageId: `<${once}@${host}>` } : {}),
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: htmlOf(mail),
        headers: { 'Content-Language': mail.language },
      });
    },
  };
}

/** A gateway over HTTP; the sandbox is one. */
export function httpMailGateway(url: string, key: string): MailGateway {
  return {
    async send(mail, once) {
      await handToGateway(`${url.replace(/\/$/, '')}/mail`, key, mail, once);
    },
  };
}
