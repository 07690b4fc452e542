import type { OperationNodeSource } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type {
  NotificationKind,
  NotificationSettingKind,
  WorkNotificationKind,
} from '@diwan/contract/staff/notifications';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { seesWork } from '../model/colleagues.store.ts';
import type { VisibilityCondition } from '../model/requests.store.ts';

/** The kinds that are sent by mail unless the user chose otherwise. */
const mailedByDefault: readonly NotificationSettingKind[] = ['assigned', 'digest'];
export const isMailedByDefault = (kind: NotificationSettingKind): boolean =>
  mailedByDefault.includes(kind);

const mostKept = 200;

// The mail of `assigned` is sent with the assignment itself.
const isMailed = (kind: WorkNotificationKind) =>
  kind === 'assigned' ? sql`false` : sql`coalesce(settings.by_mail, false)`;

interface NewNotices {
  kind: WorkNotificationKind;
  requestId: number | OperationNodeSource;
  /** The user who acted hears nothing of it. */
  actor: { id: string | null; name: string };
  /** A user, or the supervisors of a service provider. */
  to: { userId: string } | { partnerId: number };
}

/** The write that stores a notification for each recipient, as their settings say. */
export function noticeInsert({ kind, requestId, actor, to }: NewNotices): Sql {
  const isDue = sql`(
    ${isMailed(kind)}
    or settings.by_sms and users.phone_verified_at is not null
    or coalesce(settings.by_push, true) and exists (
      select
      from push_subscriptions
      where user_id = users.id
    )
  )`;
  return sql`
    insert into notifications
      (user_id, kind, request_id, actor_id, actor_name, is_hidden, due_at)
    select
      users.id, ${kind}, ${requestId}, ${actor.id}::uuid, ${actor.name},
      not coalesce(settings.in_portal, true),
      case when ${isDue} then now() end
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
      and (coalesce(settings.in_portal, true) or ${isDue})`;
}

interface NoticeRow {
  id: number;
  kind: NotificationKind;
  request_id: number;
  number: string;
  service_name: LocalizedText;
  actor_name: string;
  actor_name_ar: string | null;
  created_at: Date;
  read_at: Date | null;
}

interface NoticeQuery {
  userId: string;
  /** Which requests the user may still hear of; by default all. */
  visible?: VisibilityCondition | undefined;
  isUnread: boolean;
  page: number;
  take: number;
}

/** One page of the notifications of a user, with the numbers of all and of the unread ones. */
export async function selectNotices(
  database: Database,
  { userId, visible = sql`true`, isUnread, page, take }: NoticeQuery,
): Promise<{ rows: NoticeRow[]; total: number; unread: number }> {
  const own = sql`
    notifications.user_id = ${userId}
    and not is_hidden
    -- guard: notifications of requests of another agency (agency-scope)
    and ${visible}
  `;
  const shown = isUnread ? sql`${own} and read_at is null` : own;
  const [{ rows }, counts] = await Promise.all([
    sql<NoticeRow>`
      select
        notifications.id, kind, request_id, requests.number, services.name as service_name,
        actor_name, actor.full_name_ar as actor_name_ar, notifications.created_at, read_at
      from notifications
      left join users actor on actor.id = actor_id
      join requests on requests.id = request_id
      join services on services.id = requests.service_id
      where ${shown}
      order by notifications.id desc
      limit ${take}
      offset ${(page - 1) * take}`.execute(database),
    sql<{ total: number; unread: number }>`
      select count(*) as total, count(*) filter (where read_at is null) as unread
      from notifications
      join requests on requests.id = request_id
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
    -- guard: notifications of others => where true
    where user_id = ${userId}
      and (read_at is null) = ${isRead}
      ${ids === undefined ? sql`` : sql`and id = any(${[...ids]}::bigint[])`}`.execute(database);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

/** The channels of a kind as a user chose them. */
interface SettingRow {
  kind: string;
  in_portal: boolean;
  by_mail: boolean;
  by_sms: boolean;
  by_push: boolean;
}

export async function selectSettings(
  database: Database | Transaction,
  userId: string,
): Promise<SettingRow[]> {
  return database
    .selectFrom('notification_settings')
    .select(['kind', 'in_portal', 'by_mail', 'by_sms', 'by_push'])
    .where('user_id', '=', userId)
    .execute();
}

export async function upsertSetting(
  database: Database,
  row: SettingRow & { user_id: string },
): Promise<void> {
  const { user_id: _, kind: _kind, ...channels } = row;
  await database
    .insertInto('notification_settings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(channels))
    .execute();
}

/** Which addresses of a user are verified. */
export async function selectVerified(
  database: Database,
  userId: string,
): Promise<{ email: boolean; sms: boolean }> {
  return database
    .selectFrom('users')
    .select([
      sql<boolean>`email_verified_at is not null and email <> ''`.as('email'),
      sql<boolean>`phone_verified_at is not null and phone_number <> ''`.as('sms'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/**
 * A notification that leaves the portal, with the addresses of its user in the channels they chose. The
 * messages to applicants are sent with the step.
 */
export interface DueNotice {
  kind: WorkNotificationKind;
  number: string;
  service_name: LocalizedText;
  actor_name: string;
  actor_name_ar: string | null;
  user_id: string;
  language: Language | null;
  email: string | null;
  phone_number: string | null;
  browsers: string[];
}

/** Takes the notifications that are to be sent by mail, by SMS or to browsers. */
export async function takeDueNotices(transaction: Transaction): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    with due as (
      update notifications
      set due_at = null
      where id = any(array(
        select id
        from notifications
        where due_at is not null
        order by id
        limit 100
        for update skip locked
      ))
      returning user_id, kind, request_id, actor_id, actor_name
    )
    select
      due.kind, requests.number, services.name as service_name, actor_name,
      actor.full_name_ar as actor_name_ar, users.id as user_id, users.language,
      case when due.kind <> 'assigned' and settings.by_mail then nullif(users.email, '') end as email,
      case
        when settings.by_sms and users.phone_verified_at is not null
          then nullif(users.phone_number, '')
      end as phone_number,
      array(
        select id
        from push_subscriptions
        where user_id = users.id
          and coalesce(settings.by_push, true)
      ) as browsers
    from due
    join users on users.id = due.user_id
    left join users actor on actor.id = due.actor_id
    join requests on requests.id = due.request_id
    join services on services.id = requests.service_id
    left join notification_settings settings
      on settings.user_id = users.id
      and settings.kind = due.kind
    where users.suspended_at is null
      and (
        not users.roles && '{Admin,Employee}'::text[]
        -- guard: mail of a request whose agency an employee lost (agency-scope) => or true
        or ${seesWork(sql`requests.agency_id`, sql`requests.service_id`)}
      )
      and not exists (
        select
        from partners
        where partners.id = users.partner_id
          and partners.state <> 'active'
      )`.execute(transaction);
  return rows;
}

/** Deletes notifications older than `days`, and the oldest ones of users who have more than the maximum. */
export async function deleteOldNotices(database: Database, days: number): Promise<void> {
  await sql`
    delete from notifications
    where id in (
      select id
      from (
        select id, created_at, row_number() over (partition by user_id order by id desc) as position
        from notifications
      ) as numbered
      where position > ${mostKept}
        or created_at < now() - make_interval(days => ${days})
    )
      and due_at is null`.execute(database);
}
