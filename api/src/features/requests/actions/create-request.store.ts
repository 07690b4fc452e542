import { sql, type Insertable, type RawBuilder } from 'kysely';
import { combineWrites, insertRows } from '../../../platform/database/combined-writes.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/schema.generated.ts';
import { recipientsOfNew, type NotificationFacts } from '../../messages/notifications.actions.ts';
import { chosenWorkflow } from '../workflow/workflows.store.ts';

type NewRequestRow = Omit<Insertable<Tables['requests']>, 'form' | 'attachment_rules'>;

/** What is needed to create a request. */
export interface CreationFacts {
  /** The workflow that is chosen for the service, if any. */
  workflowId: number | null;
  /** Who may receive the messages about the request. */
  people: NotificationFacts['people'];
  /**
   * In how many seconds the user has sent fewer than the maximum within 24 hours; 0 when that is so
   * now.
   */
  retryAfter: number;
}

/** For the limit it reads the entries of one index: at most `maximum`, of the last 24 hours. */
export async function readCreationFacts(
  database: Database | Transaction,
  {
    userId,
    companyId,
    serviceId,
    maximum,
  }: { userId: string; companyId: number | null; serviceId: number; maximum: number },
  now: Date,
): Promise<CreationFacts> {
  const { rows } = await sql<{
    workflow_id: number | null;
    people: NotificationFacts['people'];
    at_limit: Date | null;
  }>`
    select
      ${chosenWorkflow(serviceId)} as workflow_id,
      (${recipientsOfNew(userId, companyId)}) as people,
      (
        select created_at
        from requests
        where user_id = ${userId}
          and created_at > ${new Date(now.getTime() - 24 * 3_600_000)}
        order by created_at desc, id desc
        offset ${maximum - 1}::int
        limit 1
      ) as at_limit
  `.execute(database);
  const { workflow_id = null, people = [], at_limit = null } = rows[0] ?? {};
  const since = at_limit?.getTime();
  return {
    workflowId: workflow_id,
    people,
    retryAfter:
      since === undefined
        ? 0
        : Math.max(0, Math.ceil((since + 24 * 3_600_000 - now.getTime()) / 1000)),
  };
}

/**
 * Inserts a request with its `writes`, which may select the `id` from `request`, and returns the id.
 * The form and the attachment rules are copied from the row of the service: sent as texts, they
 * would be parsed and compressed again, which takes longer than everything else. Fails with
 * `isCatalogueOutdated` when the catalogue has another version.
 */
export async function insertRequest(
  database: Database | Transaction,
  row: NewRequestRow,
  version: number,
  writes: Readonly<Record<string, RawBuilder<unknown> | undefined>>,
): Promise<number> {
  const ofService = (column: string) => sql`(
    select ${sql.raw(column)}
    from services, catalogue_version
    where services.id = ${row.service_id} and catalogue_version.version = ${version}
  )`;
  const request = insertRows('requests', [
    { ...row, form: ofService('form'), attachment_rules: ofService('attachments') },
  ]);
  const { rows } = await sql<{ id: number }>`
    ${combineWrites({ request: sql`${request} returning id`, ...writes })}
    select id
    from request`.execute(database);
  const [inserted] = rows;
  if (!inserted) throw new Error('The request was not inserted');
  return inserted.id;
}

/** Whether a request was not inserted because the catalogue has another version. */
export const isCatalogueOutdated = (error: unknown): boolean => {
  const { code, table, column } = (error ?? {}) as Record<string, unknown>;
  return code === '23502' && table === 'requests' && column === 'form';
};

/** Whether a request was not inserted because its number is taken. */
export const isNumberTaken = (error: unknown): boolean =>
  (error as { constraint?: string } | undefined)?.constraint === 'requests_number_key';
