import { createTransport } from 'nodemailer';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { sendToGateway } from '../integrations/http-client.ts';

/** A mail in one language. `text` is plain text with empty lines between its paragraphs. */
export interface Mail {
  to: string;
  language: Language;
  subject: string;
  text: string;
}

/** Sends mail. */
export interface MailGateway {
  /**
   * The idempotency key is the same for every attempt at one mail, so that it arrives once. Throws
   * when the gateway does not accept the mail.
   */
  send(mail: Mail, idempotencyKey?: string): Promise<void>;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// Some mail programs do not turn an address into a link, and most break a number at its hyphens. An
// address alone on its line is one of ours: `message-template.ts` removes all others from texts that
// users wrote.
const lineHtml = (line: string) =>
  /^https?:\/\/[^\s\p{Cf}]+$/u.test(line)
    ? `<a href="${escape(line)}" dir="ltr">${escape(line)}</a>`
    : escape(line).replace(
        /[A-Z0-9]+(?:-[A-Z0-9]+)+/g,
        '<span style="white-space:nowrap">$&</span>',
      );

// Mail programs read the direction of a text from attributes only, and many drop the styles of
// `body`. Nastaliq needs a larger line height.
function htmlOf({ language, text }: Mail): string {
  const [lang, dir] = [language.slice(0, 2), directionOf(language)];
  const paragraphs = text
    .split('\n\n')
    .map((part) => `<p style="margin:0 0 1em">${part.split('\n').map(lineHtml).join('<br>')}</p>`)
    .join('');
  const style = [
    'max-width:36em',
    'margin:0 auto',
    'padding:1em',
    `font:16px/${language === 'ur-PK' ? 2.2 : 1.7} 'Segoe UI',Tahoma,Arial,sans-serif`,
    'overflow-wrap:anywhere',
  ].join(';');
  return [
    `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"></head>`,
    `<body><div lang="${lang}" dir="${dir}" style="${style}">${paragraphs}</div></body></html>`,
  ].join('');
}

/** A mail server by SMTP. `url` is such as `smtps://user:password@mail.example`. */
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
    async send(mail, idempotencyKey) {
      // Most mailboxes show two mails with one Message-ID once (RFC 5322 §3.6.4).
      await transport.sendMail({
        ...(idempotencyKey ? { messageId: `<${idempotencyKey}@${host}>` } : {}),
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: htmlOf(mail),
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
