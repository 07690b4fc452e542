import type { Config } from '#config.ts';
import type { Calendars } from '#features/calendars/calendars.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { findUserAsCaller } from '#platform/auth/sessions/find-caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages, type OutgoingMessage } from '#platform/messages/message-outbox.ts';
import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import { dayAfter, dayInDubai, timeInDubai } from '@diwan/contract/wire/days';
import { defaultLanguage } from '@diwan/contract/wire/languages';
import { statusesWaitingFor } from '../requests/lists/statuses.actions.ts';
import { visibleTo } from '../requests/model/visibility.actions.ts';
import * as store from './digest.store.ts';
import type { ReportsContext } from './reports.actions.ts';

/** What the daily summary needs. `publicUrl` without a slash at its end. */
export interface DigestContext extends ReportsContext {
  calendars: Pick<Calendars, 'current'>;
  config: Config;
  publicUrl: string;
}

const t = createTranslator('notifications');

// A process that was down at the hour sends within this time. Later a morning's summary is of no use.
const latestHours = 4;
const atOnce = 20;
const keptDays = 31;

/**
 * The day of the summaries that are due now: a working day of the portal's calendar in Asia/Dubai, from
 * the hour of the setting on.
 */
export function digestDay(
  now: Date,
  hour: Config['STAFF_DIGEST_HOUR'],
  time: WorkingTime,
): string | undefined {
  if (hour === 'off') return undefined;
  const day = dayInDubai(now);
  const since = Number(timeInDubai(now).slice(11, 13)) - hour;
  const isWorkingDay = time.dayOn(day).work !== 'off';
  return isWorkingDay && since >= 0 && since < latestHours ? day : undefined;
}

const isEmpty = ({ waiting, due_today: today, late, assigned }: store.DigestFigures): boolean =>
  waiting + today + late + assigned === 0;

function writeDigest(
  { user_id: userId, email, language: chosen }: store.DigestRecipient,
  figures: store.DigestFigures,
  { day, publicUrl }: { day: string; publicUrl: string },
): OutgoingMessage {
  const language = chosen ?? defaultLanguage;
  const {
    waiting,
    due_today: today,
    late,
    assigned,
    oldest_number: number,
    oldest_at: at,
  } = figures;
  const values = { waiting, today, late, held: assigned };
  const rows = Object.entries(values).map(
    ([name, count]) => `${t(`digest.rows.${name}`, language)}: ${count}`,
  );
  const oldest =
    number && at ? [`${t('digest.rows.oldest', language)}: ${number} (${dayInDubai(at)})`] : [];
  const link = (name: string, path: string) =>
    `${t(`digest.links.${name}`, language)}:\n${publicUrl}${path}`;
  const body = [
    t('digest.lead', language, { day }),
    [...rows, ...oldest].join('\n'),
    ...(late > 0 ? [link('late', '/requests/all?due=late')] : []),
    ...(today > 0 ? [link('today', '/requests/all?due=today')] : []),
    ...(assigned > 0 ? [link('held', '/requests/processing?mine=1')] : []),
    link('waiting', '/requests/new'),
    t('digest.off', language),
  ];
  return {
    kind: 'request',
    channel: 'email',
    recipient: email,
    language,
    subject: t('digest.subject', language, { day }),
    body: body.join('\n\n'),
    userId,
  };
}

async function sendSome(
  { database, workflow, config, publicUrl }: DigestContext,
  transaction: Transaction,
  day: string,
): Promise<{ claimed: number; sent: number }> {
  const recipients = await store.claimRecipients(transaction, day, atOnce);
  const messages: OutgoingMessage[] = [];
  for (const recipient of recipients) {
    const caller: Caller | undefined = await findUserAsCaller(
      { database, config },
      recipient.user_id,
    );
    if (!caller || caller.restriction) continue;
    const figures = await store.selectDigestFigures(transaction, {
      userId: caller.userId,
      visible: visibleTo(caller),
      openStatuses: workflow.openStatuses(),
      waitingStatuses: [...statusesWaitingFor(workflow, caller.roles)],
      today: day,
    });
    if (!isEmpty(figures)) messages.push(writeDigest(recipient, figures, { day, publicUrl }));
  }
  await enqueueMessages(transaction, ...messages);
  return { claimed: recipients.length, sent: messages.length };
}

/**
 * Sends the summaries of the day that are due. A summary and the note that it was sent are one
 * transaction: nobody gets two, whichever process dies when. Returns whether there were some.
 */
export async function sendDigests(context: DigestContext, now: Date): Promise<boolean> {
  const { database, config } = context;
  const day = digestDay(now, config.STAFF_DIGEST_HOUR, context.calendars.current(null).time);
  if (day === undefined) return false;
  let isSent = false;
  for (;;) {
    const { claimed, sent } = await inTransaction(database, (transaction) =>
      sendSome(context, transaction, day),
    );
    isSent ||= sent > 0;
    if (claimed < atOnce) break;
  }
  await store.deleteOldDigests(database, dayAfter(day, -keptDays));
  return isSent;
}
