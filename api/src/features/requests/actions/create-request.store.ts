import type { Insertable, OperationNodeSource } from 'kysely';
import {
  recipientsOfNew,
  type NotificationFacts,
} from '#features/messages/notifications.actions.ts';
import { chosenWorkflow } from '#features/workflow/workflows.actions.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { openSharedStatement } from '#platform/database/shared-statement.ts';
import { combineWrites, insertRows, sql } from '#platform/database/sql.ts';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'forms.attachment_rules': AttachmentRule[];
    'forms.content': ServiceForm;
  }
}

type NewRequestRow = Omit<Insertable<Tables['requests']>, 'form_id' | 'evidence_rules'>;

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

/** The facts of a new request depend on these. */
export interface Creation {
  userId: string;
  /** Null for a person's own request. */
  companyId: number | null;
  serviceId: number;
  /** How many requests the user may send within 24 hours. */
  maximum: number;
  now: Date;
}

const dayMs = 24 * 3_600_000;

/**
 * Reads the facts of several new requests, in their order. For the limit it reads the entries of one
 * index: at most `maximum`, of the last 24 hours. The arrays are subselects, so that PostgreSQL keeps
 * one plan for any number of requests.
 */
export async function readCreationFacts(
  database: Database | Transaction,
  creations: readonly Creation[],
): Promise<CreationFacts[]> {
  const columnOf = (name: keyof Creation) => creations.map((creation) => creation[name]);
  const since = creations.map(({ now }) => new Date(now.getTime() - dayMs));
  const { rows } = await sql<{
    workflow_id: number | null;
    people: NotificationFacts['people'];
    at_limit: Date | null;
  }>`
    select
      ${chosenWorkflow(sql`creation.service_id`)} as workflow_id,
      (${recipientsOfNew(sql`creation.user_id`, sql`creation.company_id`)}) as people,
      (
        select created_at
        from requests
        where user_id = creation.user_id and created_at > creation.since
        order by created_at desc, id desc
        offset creation.maximum - 1
        limit 1
      ) as at_limit
    from unnest(
      (select ${columnOf('userId')}::uuid[]), (select ${columnOf('companyId')}::int[]),
      (select ${columnOf('serviceId')}::int[]), (select ${columnOf('maximum')}::int[]),
      (select ${since}::timestamptz[])
    ) with ordinality as creation (user_id, company_id, service_id, maximum, since, position)
    order by position
  `.execute(database);
  return rows.map(({ workflow_id: workflowId, people, at_limit: atLimit }, index) => ({
    workflowId,
    people,
    retryAfter: atLimit ? secondsUntilFree(atLimit, creations[index] as Creation) : 0,
  }));
}

const secondsUntilFree = (sentAt: Date, { now }: Creation): number =>
  Math.max(0, Math.ceil((sentAt.getTime() + dayMs - now.getTime()) / 1000));

const sharedStatements = new WeakMap<Database, (creation: Creation) => Promise<CreationFacts>>();

/** Reads the facts of a new request, together with others that arrive in the same moment. */
export function shareCreationFacts(database: Database, creation: Creation): Promise<CreationFacts> {
  const known = sharedStatements.get(database);
  const read =
    known ??
    openSharedStatement<Creation, CreationFacts>((all) => readCreationFacts(database, all));
  if (!known) sharedStatements.set(database, read);
  return read(creation);
}

/** The form of a service, as the catalogue of a version has it. */
interface FormOfService {
  serviceId: number;
  version: number;
  formHash: string;
}

/**
 * Stores the form of a service, as the first request with this form needs it, and returns its id;
 * undefined when the catalogue has another version. While another transaction stores the same form, it
 * waits for the end of that one.
 */
export async function storeServiceForm(
  database: Database | Transaction,
  { serviceId, version, formHash }: FormOfService,
): Promise<number | undefined> {
  await sql`
    insert into forms (content, attachment_rules, hash)
    select form, attachments, ${formHash}
    from services, catalogue_version
    where services.id = ${serviceId} and catalogue_version.version = ${version}
    on conflict do nothing`.execute(database);
  const { rows } = await sql<{ id: number }>`
    select id from forms where hash = ${formHash}`.execute(database);
  return rows[0]?.id;
}

/** By their hashes, the forms that this process knows to be stored. */
const storedForms = new WeakMap<Database, Set<string>>();

/** Stores the form of a service at its first request, as far as this process knows. */
export async function ensureForm(database: Database, form: FormOfService): Promise<void> {
  const known = storedForms.get(database) ?? new Set<string>();
  if (known.has(form.formHash) || (await storeServiceForm(database, form)) === undefined) return;
  storedForms.set(database, known.add(form.formHash));
}

/** Forgets that a form is stored: the database has said that it is missing. */
export function forgetForm(database: Database, formHash: string): void {
  storedForms.get(database)?.delete(formHash);
}

/**
 * Inserts a request with its `writes`, which may select the `id` from `request`, and returns the id.
 * `evidence` are the attachment rules of the agency's discounts. Fails with `isFormMissing` when the
 * catalogue has another version, or the form is not stored yet.
 */
export async function insertRequest(
  database: Database | Transaction,
  row: NewRequestRow,
  {
    version,
    formHash,
    evidence,
  }: { version: number; formHash: string; evidence: readonly AttachmentRule[] },
  writes: Readonly<Record<string, OperationNodeSource | undefined>>,
): Promise<number> {
  const request = insertRows('requests', [
    {
      ...row,
      form_id: sql`(select id from form)`,
      evidence_rules: evidence.length === 0 ? null : JSON.stringify(evidence),
    },
  ]);
  const form = sql`
    select forms.id
    from forms, catalogue_version
    where forms.hash = ${formHash} and catalogue_version.version = ${version}`;
  const combined = combineWrites({ form, request: sql`${request} returning id`, ...writes });
  const { rows } = await sql<{ id: number }>`${combined} select id from request`.execute(database);
  const [inserted] = rows;
  if (!inserted) throw new Error('The request was not inserted');
  return inserted.id;
}

/** Whether a request was not inserted because its form was not found: see `insertRequest`. */
export const isFormMissing = (error: unknown): boolean => {
  const { code, table, column } = (error ?? {}) as Record<string, unknown>;
  return code === '23502' && table === 'requests' && column === 'form_id';
};

/** Whether a request was not inserted because its number is taken. */
export const isNumberTaken = (error: unknown): boolean =>
  (error as { constraint?: string } | undefined)?.constraint === 'requests_number_key';
