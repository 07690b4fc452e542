import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { isProduct, type SandboxOptions } from './sandbox-options.ts';
import { escapeHtml, page } from './sandbox-page.ts';

const sms = z.object({ phoneNumber: z.string().min(1), text: z.string().min(1) });
const mail = z.object({
  to: z.string().min(1),
  language: z.enum(languages),
  subject: z.string().min(1),
  text: z.string().min(1),
});

/**
 * What the stand-in does with messages to an address: refuses them for good, fails as if
 * overloaded, or answers after most callers have given up.
 */
const faults = {
  refuse: 'Refuse for good',
  fail: 'Fail for now',
  slow: 'Answer too late',
} as const;
const faultStatus = { refuse: 422, fail: 503, slow: 503 } as const;
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

// Addresses of the portal can be followed, as in any mail program; of no other.
function linked(text: string, portalUrl: string): string {
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

// A message is shown in the language and direction that it was sent in; an SMS does not say which,
// so its first letters do.
function describe(
  { channel, recipient, subject, body, language, received_at: at }: Message,
  portalUrl: string,
): string {
  const tongue: Language | undefined = languages.find((one) => one === language);
  const frame = tongue ? `lang="${tongue.slice(0, 2)}" dir="${directionOf(tongue)}"` : 'dir="auto"';
  const meta = `${channel === 'email' ? 'E-mail' : 'SMS'}${tongue ? `, ${tongue}` : ''}, ${moment.format(at)}`;
  const title = `<a href="/messages?to=${encodeURIComponent(recipient)}"><bdi dir="ltr">${escapeHtml(recipient)}</bdi></a>`;
  return `<li data-channel="${escapeHtml(channel)}"><strong>${title}</strong><div ${frame}>${subject ? `<h2>${linked(subject, portalUrl)}</h2>` : ''}<p class="text">${linked(body, portalUrl)}</p></div><small class="note">${meta}</small></li>`;
}

const options = (chosen?: string) =>
  Object.entries({ '': 'Take them', ...faults })
    .map(
      ([name, text]) =>
        `<option value="${name}"${name === (chosen ?? '') ? ' selected' : ''}>${text}</option>`,
    )
    .join('');

/**
 * The stand-ins of the SMS gateway and of the mail server, and the page that shows what they were
 * given, newest first.
 */
export function openMessages(
  server: FastifyInstance,
  { database, key, portalUrl }: SandboxOptions,
): void {
  const faultOf = async (recipient: string) =>
    (
      await database
        .selectFrom('sandbox.message_faults')
        .select('kind')
        .where('recipient', '=', recipient.toLowerCase())
        .executeTakeFirst()
    )?.kind;

  // As gateways do: a message that comes again under its key is taken and sent no second time.
  async function take(
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
    const fault = await faultOf(message.recipient);
    if (fault === 'slow') await sleep(slowMs, undefined, { ref: false });
    if (fault) return reply.status(faultStatus[fault]).send({ accepted: false });
    const once = request.headers['idempotency-key'];
    await database
      .insertInto('sandbox.messages')
      .values({ ...message, ...(typeof once === 'string' ? { key: once.slice(0, 200) } : {}) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return { accepted: true };
  }

  server.post('/sms', async (request, reply) => {
    if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
    const { phoneNumber, text } = sms.parse(request.body);
    return take(request, reply, {
      channel: 'sms',
      recipient: phoneNumber,
      subject: '',
      body: text,
    });
  });

  server.post('/mail', async (request, reply) => {
    if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
    const { to, language, subject, text } = mail.parse(request.body);
    return take(request, reply, { channel: 'email', recipient: to, subject, body: text, language });
  });

  server.post('/messages/faults', async (request, reply) => {
    const { recipient, kind } = z
      .object({
        recipient: z.string().trim().toLowerCase().min(1).max(320),
        kind: z.enum(['', 'refuse', 'fail', 'slow']),
      })
      .parse(request.body);
    await database
      .deleteFrom('sandbox.message_faults')
      .where('recipient', '=', recipient)
      .execute();
    if (kind)
      await database.insertInto('sandbox.message_faults').values({ recipient, kind }).execute();
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
    let query = database
      .selectFrom('sandbox.messages')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(pageSize);
    if (to) query = query.where('recipient', 'ilike', to.replace(/[\\%_]/g, '\\$&'));
    if (before) query = query.where('id', '<', before);
    const rows = await query.execute();
    const failing = await database
      .selectFrom('sandbox.message_faults')
      .selectAll()
      .orderBy('recipient')
      .execute();
    const filter = `<form class="row" action="/messages"><label>Recipient <input name="to" value="${escapeHtml(to)}" dir="ltr"></label><button value="">Show</button>${to ? '<a href="/messages">All</a>' : ''}</form>`;
    const fault = to
      ? `<form class="row" method="post" action="/messages/faults"><input type="hidden" name="recipient" value="${escapeHtml(to)}"><label>What happens to the next ones <select name="kind">${options(failing.find(({ recipient }) => recipient === to.toLowerCase())?.kind)}</select></label><button value="">Set</button></form>`
      : '';
    const failures =
      failing.length > 0
        ? `<p class="note">Not taken at the moment: ${failing.map(({ recipient, kind }) => `<a href="/messages?to=${encodeURIComponent(recipient)}"><bdi dir="ltr">${escapeHtml(recipient)}</bdi></a> (${faults[kind]})`).join(', ')}</p>`
        : '';
    const list =
      rows.length > 0
        ? `<ul class="messages">${rows.map((row) => describe(row, portalUrl)).join('')}</ul>`
        : '<p>Nothing has been sent yet.</p>';
    const older =
      rows.length === pageSize
        ? `<p><a href="/messages?${new URLSearchParams({ to, before: String(rows.at(-1)?.id) }).toString().replaceAll('&', '&amp;')}">Older</a></p>`
        : '';
    return reply
      .type('text/html')
      .send(
        page(
          'en-US',
          'Messages',
          `<h1>Messages sent by SMS and e-mail</h1>${filter}${fault}${failures}${list}${older}`,
        ),
      );
  });
}
