import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Mail, MailGateway } from './mail.ts';

const atOnce = 20;
const mostTries = 12;

/** Writes mail down in the transaction of what it tells of; `sendDueMail` hands it over after the commit. */
export async function enqueueMail(transaction: Transaction, ...mails: Mail[]): Promise<void> {
  if (mails.length === 0) return;
  await transaction.insertInto('mail_outbox').values(mails.map(({ to, language, subject, text }) => ({ recipient: to, language, subject, body: text }))).execute();
}

/**
 * Hands over what is due. Of several processes each takes other rows; one that dies in between leaves its mail to the next, so that in the worst case it
 * arrives twice and never not at all. What a gateway refuses waits twice as long each time and is given up after two days or so, with a word in the log.
 */
export async function sendDueMail(database: Database, gateway: MailGateway, warn: (message: string) => void): Promise<number> {
  const { rows } = await sql<{ id: number; recipient: string; language: Mail['language']; subject: string; body: string; tries: number }>`
    update mail_outbox set tries = tries + 1, due_at = now() + interval '30 seconds' * power(2, tries)
    where id in (select id from mail_outbox where due_at <= now() order by due_at limit ${atOnce} for update skip locked)
    returning id, recipient, language, subject, body, tries`.execute(database);
  let sent = 0;
  for (const { id, recipient, language, subject, body, tries } of rows) {
    try {
      await gateway.send({ to: recipient, language, subject, text: body });
      sent += 1;
    } catch (error) {
      warn(`mail ${id} was not taken (try ${tries} of ${mostTries}): ${error instanceof Error ? error.message : 'unknown'}`);
      if (tries < mostTries) continue;
    }
    await database.deleteFrom('mail_outbox').where('id', '=', id).execute();
  }
  return sent;
}
