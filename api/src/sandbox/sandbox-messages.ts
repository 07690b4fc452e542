import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isProduct, type SandboxOptions } from './sandbox-options.ts';
import { escapeHtml, page } from './sandbox-page.ts';

const sms = z.object({ phoneNumber: z.string().min(1), text: z.string().min(1) });

/** The stand-in SMS gateway and the page that shows what it was given, newest first. */
export function openMessages(server: FastifyInstance, { database, key }: SandboxOptions): void {
  server.post('/sms', async (request, reply) => {
    if (!isProduct(request.headers.authorization, key)) return reply.status(401).send({});
    const message = sms.parse(request.body);
    await database.insertInto('sandbox.messages').values({ channel: 'sms', recipient: message.phoneNumber, subject: '', body: message.text }).execute();
    return { accepted: true };
  });

  server.get('/messages', async (_request, reply) => {
    const rows = await database.selectFrom('sandbox.messages').selectAll().orderBy('id', 'desc').limit(50).execute();
    const list = rows.map((row) => `<li><strong><bdi dir="ltr">${escapeHtml(row.recipient)}</bdi></strong><br><span dir="auto">${escapeHtml(row.body)}</span><br><small class="note">${row.received_at.toISOString()}</small></li>`).join('');
    return reply.type('text/html').send(page('en-US', 'Messages', `<h1>Messages sent by SMS</h1>${rows.length > 0 ? `<ul class="messages">${list}</ul>` : '<p>Nothing has been sent yet.</p>'}`));
  });
}
