import { sql, type RawBuilder } from 'kysely';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { NotificationKind } from '@diwan/contract/staff/notifications';
import type { Database, Transaction } from '../../../platform/database/database.ts';

/** The kinds that are sent by mail unless the user chose otherwise. */
const mailedByDefault: readonly NotificationKind[] = ['assigned'];
export const isMailedByDefault = (kind: NotificationKind): boolean =>
  mailedByDefault.includes(kind);

const mostKept = 200;

interface NewNotices {
  kind: NotificationKind;
  requestId: number | RawBuilder<number>;
  /** The user who acted hears nothing of it. */
  actor: { id: string | null; name: string };
  /** A user, or the supervisors of a service provider. */
  to: { userId: string } | { partnerId: number };
}

/** The write that stores a notification for each recipient, as their settings say. */
export function noticeInsert({ kind, requestId, actor, to }: NewNotices): RawBuilder<unknown> {
  // The mail of `assigned` is sent with the assignment itself.
  const mailDue = kind === 'assigned' ? sql`false` : sql`coalesce(settings.by_mail, false)`;
  return sql`
    insert into notifications
      (user_id, kind, request_id, actor_name, is_hidden, mail_due_at)
    select
      users.id, ${kind}, ${requestId}, ${actor.name},
      not coalesce(settings.in_portal, true),
      case when ${mailDue} then now() end
    from users
    left join notification_settings settings
      on settings.user_id = users.id
      and settings.kind = ${kind}
    where ${
      'userId' in to
        ? sql`users.id = ${to.userId}::uuid`
        : sql`users.partner_id = ${to.partnerId} and 'ServiceProvider' = any(users.roles)`
    }
      and users.id is distinct from ${actor.id}::uuid
      and (coalesce(settings.in_portal, true) or ${mailDue})`;
}

export interface NoticeRow {
  id: number;
  kind: NotificationKind;
  request_id: number;
  number: string;
  service_name: LocalizedText;
  actor_name: string;
  created_at: Date;
  read_at: Date | null;
}

interface NoticeQuery {
  userId: string;
  isUnread: boolean;
  page: number;
  take: number;
}

/** One page of the notifications of a user, with the numbers of all and of the unread ones. */
export async function selectNotices(
  database: Database,
  { userId, isUnread, page, take }: NoticeQuery,
): Promise<{ rows: NoticeRow[]; total: number; unread: number }> {
  const own = sql`notifications.user_id = ${userId} and not is_hidden`;
  const shown = isUnread ? sql`${own} and read_at is null` : own;
  const [{ rows }, counts] = await Promise.all([
    sql<NoticeRow>`
      select
        notifications.id, kind, request_id, requests.number, services.name as service_name,
        actor_name, notifications.created_at, read_at
      from notifications
      join requests on requests.id = request_id
      join services on services.id = requests.service_id
      where ${shown}
      order by notifications.id desc
      limit ${take}
      offset ${(page - 1) * take}`.execute(database),
    sql<{ total: number; unread: number }>`
      select count(*) as total, count(*) filter (where read_at is null) as unread
      from notifications
      where ${own}`.execute(database),
  ]);
  const { total = 0, unread = 0 } = counts.rows[0] ?? {};
  return { rows, total: isUnread ? unread : total, unread };
}

/** Marks notifications of a user; all of them without ids. Returns whether one has changed. */
export async function updateRead(
  database: Database,
  userId: string,
  { ids, isRead }: { ids?: readonly number[] | undefined; isRead: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update notifications
    set read_at = ${isRead ? sql`now()` : sql`null`}
    where user_id = ${userId}
      and (read_at is null) = ${isRead}
      ${ids === undefined ? sql`` : sql`and id = any(${[...ids]}::bigint[])`}`.execute(database);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

export async function selectSettings(
  database: Database | Transaction,
  userId: string,
): Promise<{ kind: string; in_portal: boolean; by_mail: boolean }[]> {
  return database
    .selectFrom('notification_settings')
    .select(['kind', 'in_portal', 'by_mail'])
    .where('user_id', '=', userId)
    .execute();
}

export async function upsertSetting(
  database: Database,
  row: { user_id: string; kind: string; in_portal: boolean; by_mail: boolean },
): Promise<void> {
  const { in_portal, by_mail } = row;
  await database
    .insertInto('notification_settings')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet({ in_portal, by_mail }),
    )
    .execute();
}

export interface DueMail {
  kind: NotificationKind;
  number: string;
  service_name: LocalizedText;
  actor_name: string;
  user_id: string;
  email: string;
  language: Language | null;
}

/** Takes the notifications that are to be sent by mail. */
export async function takeDueMails(transaction: Transaction): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    with due as (
      update notifications
      set mail_due_at = null
      where id = any(array(
        select id
        from notifications
        where mail_due_at is not null
        order by id
        limit 100
        for update skip locked
      ))
      returning user_id, kind, request_id, actor_name
    )
    select
      kind, requests.number, services.name as service_name, actor_name,
      users.id as user_id, users.email, users.language
    from due
    join users on users.id = due.user_id
    join requests on requests.id = due.request_id
    join services on services.id = requests.service_id
    where users.email is not null
      and users.suspended_at is null`.execute(transaction);
  return rows;
}

/** Deletes the oldest notifications of users who have more than are kept. */
export async function deleteOldNotices(database: Database): Promise<void> {
  await sql`
    delete from notifications
    where id in (
      select id
      from (
        select id, row_number() over (partition by user_id order by id desc) as position
        from notifications
      ) as numbered
      where position > ${mostKept}
    )
      and mail_due_at is null`.execute(database);
}
