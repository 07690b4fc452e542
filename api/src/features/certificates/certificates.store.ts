import type { Selectable } from 'kysely';
import { agencyOfService, isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sql } from '#platform/database/sql.ts';
import type { Validity } from '@diwan/contract/content/certificates';
import type { CertificateEvent } from '@diwan/contract/content/issued-certificates';
import type { LocalizedText, Language } from '@diwan/contract/wire/languages';

export interface CertificatePiece {
  text: string;
  /** An answer or a fact of the request. */
  isValue: boolean;
}

/** A paragraph of pieces, or the answers of a group as a table or as a list. */
export type CertificateBlock =
  | CertificatePiece[]
  | { header: string[]; rows: string[][] }
  | { items: string[] };

/** A certificate as it was issued. Those of before decision 0121 have no logo. */
export interface CertificateContent {
  language: Language;
  title: string;
  paragraphs: CertificateBlock[];
  applicant: string;
  /** What was typed as the applicant, where UAE PASS has verified another name. */
  namedFor?: string | undefined;
  /** Who sent the request for the company that is the applicant. */
  sentBy?: string | undefined;
  requestNumber: string;
  service: string;
  agency: string;
  /** The path of the agency's logo on this site. */
  logo?: string;
  /** The path of the portal's; missing where it had none. */
  portalLogo?: string;
}

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'certificate_events.action': CertificateEvent['action'];
    'certificate_events.reason': CertificateEvent['reason'];
    'certificate_templates.body': LocalizedText;
    'certificate_templates.title': LocalizedText;
    'certificate_templates.validity': Validity;
    'certificates.content': CertificateContent;
  }
}

export type TemplateRow = Selectable<Tables['certificate_templates']>;

export function selectTemplates(database: Database, scope: AgencyScope): Promise<TemplateRow[]> {
  return database
    .selectFrom('certificate_templates')
    .selectAll()
    .where(isInScope(scope, agencyOfService(sql`certificate_templates.service_id`)))
    .limit(10_000)
    .execute();
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
  validity: Validity;
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
    validity: JSON.stringify(content.validity),
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
    validUntil,
    issuedAt,
  }: {
    requestId: number;
    series: string;
    content: CertificateContent;
    validUntil: string | null;
    issuedAt: Date;
  },
): Promise<void> {
  await sql`
    with counter as (
      insert into invoice_counters (series, last_sequence)
      select ${series}, 1
      where not exists (select from certificates where request_id = ${requestId})
      on conflict (series) do update set last_sequence = invoice_counters.last_sequence + 1
      returning last_sequence as sequence
    )
    insert into certificates (request_id, series, sequence, number, content, valid_until, issued_at)
    select ${requestId}, ${series}, sequence, ${series} || '-' || lpad(sequence::text, 6, '0'),
      ${JSON.stringify(content)}::jsonb, ${validUntil}::date, ${issuedAt}
    from counter`.execute(transaction);
}
