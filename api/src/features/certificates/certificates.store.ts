import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { LocalizedText, Language } from '@diwan/contract/wire/languages';

/** A certificate as it was issued. `isValue`: an answer or a fact of the request. */
export interface CertificateContent {
  language: Language;
  title: string;
  paragraphs: { text: string; isValue: boolean }[][];
  applicant: string;
  requestNumber: string;
  service: string;
  agency: string;
}

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'certificate_templates.body': LocalizedText;
    'certificate_templates.title': LocalizedText;
    'certificates.content': CertificateContent;
  }
}

export type TemplateRow = Selectable<Tables['certificate_templates']>;
export type CertificateRow = Selectable<Tables['certificates']>;

export function selectTemplates(database: Database): Promise<TemplateRow[]> {
  return database.selectFrom('certificate_templates').selectAll().limit(10_000).execute();
}

export function findTemplate(
  database: Database | Transaction,
  serviceId: number,
): Promise<TemplateRow | undefined> {
  return database
    .selectFrom('certificate_templates')
    .selectAll()
    .where('service_id', '=', serviceId)
    .executeTakeFirst();
}

export interface TemplateContent {
  title: LocalizedText;
  body: LocalizedText;
  is_active: boolean;
}

/**
 * Stores a template where it still has this version, 0 for a new one; undefined where it has
 * another.
 */
export function saveTemplate(
  transaction: Transaction,
  serviceId: number,
  version: number,
  content: TemplateContent,
): Promise<TemplateRow | undefined> {
  const values = {
    title: JSON.stringify(content.title),
    body: JSON.stringify(content.body),
    is_active: content.is_active,
  };
  if (version === 0)
    return transaction
      .insertInto('certificate_templates')
      .values({ service_id: serviceId, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  return (
    transaction
      .updateTable('certificate_templates')
      .set({ ...values, version: version + 1 })
      .where('service_id', '=', serviceId)
      // guard: version of a template of certificates
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirst()
  );
}

/**
 * Issues a certificate with the next number of its series, once for a request. The counter stays
 * locked until the transaction ends, so that numbers have no gap.
 */
export async function insertCertificate(
  transaction: Transaction,
  {
    requestId,
    series,
    content,
    issuedAt,
  }: { requestId: number; series: string; content: CertificateContent; issuedAt: Date },
): Promise<void> {
  await sql`
    with counter as (
      insert into invoice_counters (series, last_sequence)
      select ${series}, 1
      where not exists (select from certificates where request_id = ${requestId})
      on conflict (series) do update set last_sequence = invoice_counters.last_sequence + 1
      returning last_sequence as sequence
    )
    insert into certificates (request_id, series, sequence, number, content, issued_at)
    select ${requestId}, ${series}, sequence, ${series} || '-' || lpad(sequence::text, 6, '0'),
      ${JSON.stringify(content)}::jsonb, ${issuedAt}
    from counter`.execute(transaction);
}

export function findCertificate(
  database: Database,
  by: 'id' | 'request_id',
  id: number,
): Promise<CertificateRow | undefined> {
  return database.selectFrom('certificates').selectAll().where(by, '=', id).executeTakeFirst();
}
