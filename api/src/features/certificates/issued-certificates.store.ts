import type { Selectable, SqlBool } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql, type Sql } from '#platform/database/sql.ts';
import type {
  CertificateEvent,
  CertificateState,
} from '@diwan/contract/content/issued-certificates';
import type { LocalizedText } from '@diwan/contract/wire/languages';

export type CertificateRow = Selectable<Tables['certificates']>;

export function findCertificate(
  database: Database | Transaction,
  by: 'id' | 'request_id',
  id: number,
): Promise<CertificateRow | undefined> {
  return database.selectFrom('certificates').selectAll().where(by, '=', id).executeTakeFirst();
}

const today = sql`(now() at time zone 'Asia/Dubai')::date`;

/** The state of the certificate in `certificates`: its last event decides, then its last day. */
const stateOf = sql<CertificateState>`case
  when (
    select action
    from certificate_events
    where certificate_id = certificates.id
    order by certificate_events.id desc
    limit 1
  ) = 'revoked' then 'revoked'
  when valid_until < ${today} then 'expired'
  else 'valid'
end`;

/** What a record shows of its certificate. `issuedAt` and `at` in ISO 8601. */
export interface CertificateFacts {
  number: string;
  state: CertificateState;
  issuedAt: string;
  validUntil: string | null;
  events: (Pick<CertificateEvent, 'action' | 'reason' | 'note' | 'at'> & {
    by: string;
    byAr: string | null;
  })[];
}

/** The certificate of a request, as one value; null without one. */
export const certificateFacts = (requestId: Sql<unknown>): Sql<CertificateFacts | null> => sql`(
  select jsonb_build_object(
    'number', number,
    'state', ${stateOf},
    'issuedAt', issued_at,
    'validUntil', valid_until,
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'action', action, 'reason', reason, 'note', note, 'at', at, 'by', full_name, 'byAr', full_name_ar
      ) order by certificate_events.id), '[]')
      from certificate_events
      join users on users.id = actor_id
      where certificate_id = certificates.id
    )
  )
  from certificates
  where request_id = ${requestId}
)`;

export async function findCertificateFacts(
  database: Database | Transaction,
  requestId: number,
): Promise<CertificateFacts | undefined> {
  const { rows } = await sql<{ facts: CertificateFacts | null }>`
    select ${certificateFacts(sql`${requestId}::bigint`)} as facts`.execute(database);
  return rows[0]?.facts ?? undefined;
}

interface ListedRow {
  number: string;
  state: CertificateState;
  issued_at: Date;
  valid_until: string | null;
  request_id: number;
  request_number: string;
  service: LocalizedText;
  title: string;
}

interface CertificateFilter {
  /** In capital letters; digits alone are the end of a number. */
  number: string | undefined;
  serviceId: number | undefined;
  state: CertificateState | undefined;
}

/** The certificates of requests that fit the condition `visible` on `requests`, newest first. */
export function selectCertificates(
  database: Database,
  visible: Sql<SqlBool>,
  { number, serviceId, state }: CertificateFilter,
  page: { PageNumber: number; Take: number },
): Promise<{ items: ListedRow[]; totalCount: number }> {
  const sequence = number !== undefined && /^\d{1,12}$/.test(number) ? Number(number) : undefined;
  const conditions = [
    visible,
    ...(sequence === undefined
      ? number === undefined
        ? []
        : [sql`(certificates.number = ${number} or requests.number = ${number})`]
      : [sql`certificates.sequence = ${sequence}`]),
    ...(serviceId === undefined ? [] : [sql`requests.service_id = ${serviceId}`]),
    ...(state === undefined ? [] : [sql`${stateOf} = ${state}`]),
  ];
  return selectCountedPage<ListedRow>(
    database,
    {
      columns: sql`certificates.number, ${stateOf} as state, issued_at, valid_until, request_id,
        requests.number as request_number, services.name as service,
        certificates.content ->> 'title' as title`,
      from: sql`certificates
        join requests on requests.id = request_id
        join services on services.id = requests.service_id
        where ${sql.join(conditions, ' and ')}`,
      ties: sql`certificates.id desc`,
    },
    page,
  );
}

/** The events of a certificate are in the order of the lock of its request. */
export async function insertCertificateEvent(
  transaction: Transaction,
  event: Pick<CertificateEvent, 'action' | 'reason' | 'note'> & {
    requestId: number;
    actorId: string;
    at: Date;
  },
): Promise<void> {
  await sql`
    insert into certificate_events (certificate_id, action, reason, note, actor_id, at)
    select id, ${event.action}, ${event.reason}, ${event.note}, ${event.actorId}, ${event.at}
    from certificates
    where request_id = ${event.requestId}`.execute(transaction);
}
