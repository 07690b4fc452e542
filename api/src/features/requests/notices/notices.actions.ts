import type { OperationNodeSource } from 'kysely';
import { countGroup } from '#features/workflow/workflow-rules.actions.ts';
import { hasRole, isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { insertHubEvents, type HubEvent } from '#platform/hubs/hub-events.store.ts';
import { everyHub } from '#platform/hubs/hub-events.ts';
import { enqueueMessages, type OutgoingMessage } from '#platform/messages/message-outbox.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
import type { Workflow } from '@diwan/contract/requests/workflow';
import * as contract from '@diwan/contract/staff/notifications';
import { applicants, staffAndProviders, type ReplyOf } from '@diwan/contract/wire/call';
import { notificationsChanged } from '@diwan/contract/wire/hubs';
import { defaultLanguage, type Language } from '@diwan/contract/wire/languages';
import type { RequestLinks } from '../model/request-links.ts';
import { partnerTopic, userTopic } from '../model/topics.ts';
import { visibleTo } from '../model/visibility.actions.ts';
import * as store from './notices.store.ts';

const t = createTranslator('notifications');
const isolate = (text: string) => `\u2068${text}\u2069`;

/** The event that tells users, by topics, that their notifications have changed. */
export const noticesChanged = (...topics: string[]): HubEvent => ({
  hub: everyHub,
  event: notificationsChanged,
  audiences: topics,
});

/** A step, and whom it concerns. */
interface NotedStep {
  requestId: number | OperationNodeSource;
  action: RequestAction;
  from: number | null;
  to: number;
  actor: { id: string | null; name: string };
  holderId: string | null;
  partnerId: number | null;
}

const kindOf = (action: RequestAction): contract.WorkNotificationKind =>
  action === 'update' ? 'updated' : action === 'pay' ? 'paid' : 'worked';

/**
 * What a step adds to its transaction: notifications to the clerk who holds the request, unless
 * they acted themselves, and to the supervisors of a service provider whom it has just reached.
 */
export function noteStep(
  workflow: Workflow,
  { requestId, action, from, to, actor, holderId, partnerId }: NotedStep,
): { writes: Record<string, Sql>; events: HubEvent[] } {
  const writes: Record<string, Sql> = {};
  const topics: string[] = [];
  if (holderId !== null && holderId !== actor.id) {
    writes.noted = store.noticeInsert({
      kind: kindOf(action),
      requestId,
      actor,
      to: { userId: holderId },
    });
    topics.push(userTopic(holderId));
  }
  const isNew = (statusId: number | null) =>
    statusId !== null && countGroup(workflow, statusId, 'provider') === 'new';
  if (partnerId !== null && isNew(to) && !isNew(from)) {
    writes.noted_provider = store.noticeInsert({
      kind: 'arrived',
      requestId,
      actor,
      to: { partnerId },
    });
    topics.push(partnerTopic(partnerId));
  }
  return { writes, events: topics.length > 0 ? [noticesChanged(...topics)] : [] };
}

/** The notification to the colleague to whom a request is given, for `combineWrites`. */
export const noteAssignment = (
  requestId: number,
  actor: { id: string | null; name: string },
  holderId: string,
): Sql => store.noticeInsert({ kind: 'assigned', requestId, actor, to: { userId: holderId } });

const nameOfActor = (
  { actor_name, actor_name_ar }: Pick<store.DueNotice, 'actor_name' | 'actor_name_ar'>,
  language: Language,
): string => localizePersonName({ full_name: actor_name, full_name_ar: actor_name_ar }, language);

// An employee hears no more of a request whose agency is not theirs any more.
const visibleNow = (caller: Caller) => (isPortalStaff(caller) ? visibleTo(caller) : undefined);

/** The notifications of the caller, newest first. */
export async function listNotices(
  database: Database,
  caller: Caller,
  query: { isUnread: boolean; page: number; take: number },
  language: Language,
): Promise<ReplyOf<typeof contract.getNotifications>> {
  const { rows, total, unread } = await store.selectNotices(database, {
    ...query,
    userId: caller.userId,
    visible: visibleNow(caller),
  });
  return {
    items: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      requestId: row.request_id,
      requestNumber: row.number,
      serviceName: localize(row.service_name, language),
      actorName: nameOfActor(row, language),
      at: row.created_at.toISOString(),
      isRead: row.read_at !== null,
    })),
    pageNumber: query.page,
    totalCount: total,
    unreadCount: unread,
  };
}

/** Marks notifications of the caller, and tells the other windows of the caller. */
export async function markNotices(
  { database, announce }: { database: Database; announce: (hasMessages: boolean) => void },
  caller: Caller,
  marks: { ids?: readonly number[] | undefined; isRead: boolean },
): Promise<{ unreadCount: number }> {
  const { userId } = caller;
  if (await store.updateRead(database, userId, marks)) {
    await insertHubEvents([noticesChanged(userTopic(userId))])?.execute(database);
    announce(false);
  }
  const { unread } = await store.selectNotices(database, {
    userId,
    visible: visibleNow(caller),
    isUnread: true,
    page: 1,
    take: 1,
  });
  return { unreadCount: unread };
}

const isOwnKind = (kind: string): boolean =>
  contract.ownNotificationKinds.some((own) => own === kind);

/** The kinds that users of these roles are notified of: as applicants, or of their work. */
const kindsOf = ({ roles }: Pick<Caller, 'roles'>): contract.NotificationSettingKind[] =>
  contract.notificationSettingKinds.filter((kind) =>
    isOwnKind(kind)
      ? roles.some((role) => applicants.includes(role))
      : hasRole({ roles }, staffAndProviders),
  );

/** How a user hears of each kind. Applicants hear of their requests in every way. */
export async function listSettings(
  database: Database | Transaction,
  caller: Pick<Caller, 'userId' | 'roles'>,
): Promise<contract.NotificationSetting[]> {
  const rows = await store.selectSettings(database, caller.userId);
  return kindsOf(caller).map((kind) => {
    const own = rows.find((row) => row.kind === kind);
    const byMail = own?.by_mail ?? (isOwnKind(kind) || store.isMailedByDefault(kind));
    // The digest is a mail and nothing else.
    if (kind === 'digest') return { kind, inPortal: false, byMail, bySms: false, byPush: false };
    return {
      kind,
      inPortal: own?.in_portal ?? true,
      byMail,
      bySms: own?.by_sms ?? isOwnKind(kind),
      byPush: own?.by_push ?? true,
    };
  });
}

/**
 * Throws AddressNotProved for SMS about work without a verified number, NotificationNeeded where what
 * waits for an applicant would reach none of their verified addresses, and ValidationFailed for a
 * kind of other roles.
 */
export async function saveSetting(
  database: Database,
  caller: Caller,
  { kind, inPortal, byMail, bySms, byPush }: contract.NotificationSetting,
): Promise<contract.NotificationSetting[]> {
  const { userId } = caller;
  if (!kindsOf(caller).includes(kind)) throw new Refusal('ValidationFailed');
  const verified = await store.selectVerified(database, userId);
  if (bySms && !verified.sms && !isOwnKind(kind)) throw new Refusal('AddressNotProved');
  const isReached = (byMail && verified.email) || (bySms && verified.sms);
  if (contract.urgentNotificationKinds.includes(kind) && !isReached)
    if (verified.email || verified.sms || !(byMail && bySms))
      throw new Refusal('NotificationNeeded');
  await store.upsertSetting(database, {
    user_id: userId,
    kind,
    in_portal: inPortal,
    by_mail: byMail,
    by_sms: bySms,
    by_push: byPush,
  });
  return listSettings(database, caller);
}

/** The messages of a notification, in the channels that its user chose. */
function writeNotice(
  { kind, number, language: chosen, user_id: userId, ...notice }: store.DueNotice,
  links: RequestLinks,
): OutgoingMessage[] {
  const language = chosen ?? defaultLanguage;
  const title = t(`mail.${kind}`, language, { number });
  const service = localize(notice.service_name, language);
  const actor = nameOfActor(notice, language);
  const by = actor ? t('mail.by', language, { name: isolate(actor) }) : '';
  const link = links.make(number);
  const shared = { kind: 'request' as const, language, userId };
  return [
    ...(notice.email === null
      ? []
      : [
          {
            ...shared,
            channel: 'email' as const,
            recipient: notice.email,
            subject: title,
            body: t('mail.text', language, { title, by, service, link }),
          },
        ]),
    ...(notice.phone_number === null
      ? []
      : [
          {
            ...shared,
            channel: 'sms' as const,
            recipient: notice.phone_number,
            subject: '',
            body: t('sms', language, { title }),
          },
        ]),
    ...notice.browsers.map((recipient) => ({
      ...shared,
      channel: 'push' as const,
      recipient,
      subject: title,
      body: [service, by].filter(Boolean).join('\n'),
      link: links.pathOf(number),
    })),
  ];
}

/** Sends notifications by mail, by SMS and to browsers. Returns whether there were some. */
export async function sendNotices(database: Database, links: RequestLinks): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const notices = await store.takeDueNotices(transaction);
    await enqueueMessages(transaction, ...notices.flatMap((notice) => writeNotice(notice, links)));
    return notices.length > 0;
  });
}
