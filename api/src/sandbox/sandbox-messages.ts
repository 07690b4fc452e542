import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import * as store from './sandbox-messages.store.ts';
import { isAuthorized, type SandboxOptions } from './sandbox-options.ts';
import { escapeHtml, page } from './sandbox-page.ts';

const sms = z.object({ phoneNumber: z.string().min(1), text: z.string().min(1) });
const mail = z.object({
  to: z.string().min(1),
  language: z.enum(languages),
  subject: z.string().min(1),
  text: z.string().min(1),
});

// Simulated errors for messages to an address: a permanent refusal, an overloaded gateway, or an
// answer after the timeout of most callers.
const errorKinds = {
  refuse: 'Refuse for good',
  fail: 'Fail for now',
  slow: 'Answer too late',
} as const;
type ErrorKind = keyof typeof errorKinds;
const errorStatus = { refuse: 422, fail: 503, slow: 503 } as const;
const slowMs = 8000;
const pageSize = 50;

interface Message {
  channel: string;
  recipient: string;
  subject: string;
  body: string;
  language: string;
  received_at: Date;
}

// Turns addresses of the portal into links, like a mail program, and no others.
function withLinks(text: string, portalUrl: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part) =>
      part.startsWith(`${portalUrl}/`)
        ? `<a href="${escapeHtml(part)}"><bdi dir="ltr">${escapeHtml(part)}</bdi></a>`
        : escapeHtml(part).replace(/[A-Z0-9]+(?:-[A-Z0-9]+)+/g, '<span class="whole">$&</span>'),
    )
    .join('');
}

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Asia/Dubai',
});

// A mail is shown in its language and direction. An SMS has none, so its first letters decide.
function messageItem(
  { channel, recipient, subject, body, language, received_at: at }: Message,
  portalUrl: string,
): string {
  const known: Language | undefined = languages.find((one) => one === language);
  const frame = known ? `lang="${known.slice(0, 2)}" dir="${directionOf(known)}"` : 'dir="auto"';
  const name = channel === 'email' ? 'Email' : 'SMS';
  const meta = `${name}${known ? `, ${known}` : ''}, ${moment.format(at)}`;
  const heading = subject ? `<h2>${withLinks(subject, portalUrl)}</h2>` : '';
  return [
    `<li data-channel="${escapeHtml(channel)}"><strong>${recipientLink(recipient)}</strong>`,
    `<div ${frame}>${heading}<p class="text">${withLinks(body, portalUrl)}</p></div>`,
    `<small class="note">${meta}</small></li>`,
  ].join('');
}

const recipientLink = (recipient: string) => {
  const text = `<bdi dir="ltr">${escapeHtml(recipient)}</bdi>`;
  return `<a href="/messages?to=${encodeURIComponent(recipient)}">${text}</a>`;
};

const errorOptions = (chosen?: string) =>
  Object.entries({ '': 'Take them', ...errorKinds })
    .map(
      ([name, text]) =>
        `<option value="${name}"${name === (chosen ?? '') ? ' selected' : ''}>${text}</option>`,
    )
    .join('');

// The form that filters by recipient.
function filterForm(to: string): string {
  const input = `<input name="to" value="${escapeHtml(to)}" dir="ltr">`;
  const all = to ? '<a href="/messages">All</a>' : '';
  return [
    `<form class="row" action="/messages"><label>Recipient ${input}</label>`,
    `<button value="">Show</button>${all}</form>`,
  ].join('');
}

// The form that sets the simulated error of a recipient.
function errorForm(to: string, current: string | undefined): string {
  const select = `<select name="kind">${errorOptions(current)}</select>`;
  return [
    '<form class="row" method="post" action="/messages/faults">',
    `<input type="hidden" name="recipient" value="${escapeHtml(to)}">`,
    `<label>What happens to the next ones ${select}</label><button value="">Set</button></form>`,
  ].join('');
}

// What is not taken, and why.
function failingNote(failing: readonly { recipient: string; kind: ErrorKind }[]): string {
  if (failing.length === 0) return '';
  const each = failing.map(
    ({ recipient, kind }) => `${recipientLink(recipient)} (${errorKinds[kind]})`,
  );
  return `<p class="note">Not taken at the moment: ${each.join(', ')}</p>`;
}

const messageList = (rows: readonly Message[], portalUrl: string): string =>
  rows.length > 0
    ? `<ul class="messages">${rows.map((row) => messageItem(row, portalUrl)).join('')}</ul>`
    : '<p>Nothing has been sent yet.</p>';

function olderLink(rows: readonly { id: unknown }[], to: string): string {
  if (rows.length < pageSize) return '';
  const query = new URLSearchParams({ to, before: String(rows.at(-1)?.id) }).toString();
  return `<p><a href="/messages?${query.replaceAll('&', '&amp;')}">Older</a></p>`;
}

/** The sandboxes of the SMS gateway and of the mail server. */
function serveGateways(
  server: FastifyInstance,
  { database, key }: Pick<SandboxOptions, 'database' | 'key'>,
): void {
  // Like a real gateway, it accepts a second message with the same key without sending it.
  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    message: {
      channel: string;
      recipient: string;
      subject: string;
      body: string;
      language?: string;
    },
  ) {
    const error = await store.findError(database, message.recipient);
    if (error === 'slow') await sleep(slowMs, undefined, { ref: false });
    if (error) return reply.status(errorStatus[error]).send({ accepted: false });
    const idempotencyKey = request.headers['idempotency-key'];
    await store.insertMessage(database, {
      ...message,
      ...(typeof idempotencyKey === 'string' ? { key: idempotencyKey.slice(0, 200) } : {}),
    });
    return { accepted: true };
  }

  server.post('/sms', async (request, reply) => {
    if (!isAuthorized(request.headers.authorization, key)) return reply.status(401).send({});
    const { phoneNumber, text } = sms.parse(request.body);
    return receive(request, reply, {
      channel: 'sms',
      recipient: phoneNumber,
      subject: '',
      body: text,
    });
  });

  server.post('/mail', async (request, reply) => {
    if (!isAuthorized(request.headers.authorization, key)) return reply.status(401).send({});
    const { to, language, subject, text } = mail.parse(request.body);
    return receive(request, reply, {
      channel: 'email',
      recipient: to,
      subject,
      body: text,
      language,
    });
  });
}

/** The page with the received messages, newest first, and the form for simulated errors. */
function servePage(
  server: FastifyInstance,
  { database, portalUrl }: Pick<SandboxOptions, 'database' | 'portalUrl'>,
): void {
  server.post('/messages/faults', async (request, reply) => {
    const { recipient, kind } = z
      .object({
        recipient: z.string().trim().toLowerCase().min(1).max(320),
        kind: z.enum(['', 'refuse', 'fail', 'slow']),
      })
      .parse(request.body);
    await store.setError(database, recipient, kind || undefined);
    return reply.redirect(`/messages?to=${encodeURIComponent(recipient)}`, 303);
  });

  server.get('/messages', async (request, reply) => {
    const { to, before } = z
      .object({
        to: z.string().trim().max(320).default(''),
        before: z.coerce.number().int().positive().optional().catch(undefined),
      })
      .catch({ to: '', before: undefined })
      .parse(request.query);
    const rows = await store.selectMessages(database, { to, before, take: pageSize });
    const failing = await store.selectErrors(database);
    const current = failing.find(({ recipient }) => recipient === to.toLowerCase());
    const body = [
      '<h1>Messages sent by SMS and e-mail</h1>',
      filterForm(to),
      to ? errorForm(to, current?.kind) : '',
      failingNote(failing),
      messageList(rows, portalUrl),
      olderLink(rows, to),
    ];
    return reply.type('text/html').send(page('en-US', 'Messages', body.join('')));
  });
}

/**
 * The sandboxes of the SMS gateway and of the mail server, and a page with the received messages,
 * newest first.
 */
export function serveMessages(server: FastifyInstance, options: SandboxOptions): void {
  serveGateways(server, options);
  servePage(server, options);
}
