import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { directionOf, languages } from '@diwan/contract/languages';
import { isProduct, type SandboxOptions } from './sandbox-options.ts';
import { escapeHtml, page } from './sandbox-page.ts';

const sms = z.object({ phoneNumber: z.string().min(1), text: z.string().min(1) });
const mail = z.object({ to: z.string().min(1), language: z.enum(languages), subject: z.string().min(1), text: z.string().min(1) });

interface Message {
  channel: string;
  recipient: string;
  subject: string;
  body: string;
  language: string;
  received_at: Date;
}

// A mail is shown in the language and direction that it was sent in, as a mail program would.
function describe({ channel, recipient, subject, body, language, received_at: at }: Message): string {
  const tongue = languages.find((one) => one === language);
  const frame = tongue ? `lang="${tongue.slice(0, 2)}" dir="${directionOf(tongue)}"` : 'dir="auto"';
  const meta = `${channel === 'email' ? 'E-mail' : 'SMS'}${tongue ? `, ${tongue}` : ''}, ${at.toISOString()}`;
  return `<li data-channel="${escapeHtml(channel)}"><strong><bdi dir="ltr">${escapeHtml(recipient)}</bdi></strong><div ${frame}>${subject ? `<h2>${escapeHtml(subject)}</h2>` : ''}<p class="text">${escapeHtml(body)}</p></div><small class="note">${meta}</small></li>`;
}

/** The stand-ins of the SMS gateway and of the mail server, and the page that shows what they were given, newest first. */
export function openMessages(server: FastifyInstance, { database, key }: SandboxOptions): void {
  server.post('/sms', async (request, reply) => {
    if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
    const message = sms.parse(request.body);
    await database.insertInto('sandbox.messages').values({ channel: 'sms', recipient: message.phoneNumber, subject: '', body: message.text }).execute();
    return { accepted: true };
  });

  server.post('/mail', async (request, reply) => {
    if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
    const { to, language, subject, text } = mail.parse(request.body);
    await database.insertInto('sandbox.messages').values({ channel: 'email', recipient: to, subject, body: text, language }).execute();
    return { accepted: true };
  });

  server.get('/messages', async (_request, reply) => {
    const rows = await database.selectFrom('sandbox.messages').selectAll().orderBy('id', 'desc').limit(50).execute();
    const list = rows.map(describe).join('');
    return reply.type('text/html').send(page('en-US', 'Messages', `<h1>Messages sent by SMS and e-mail</h1>${rows.length > 0 ? `<ul class="messages">${list}</ul>` : '<p>Nothing has been sent yet.</p>'}`));
  });
}
