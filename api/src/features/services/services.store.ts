import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { inSnapshot } from '#platform/database/unit-of-work.ts';
import type { EligibilityRule } from '@diwan/contract/catalogue/eligibility';
import type { DiscountRule, FeeRule, WithdrawalRule } from '@diwan/contract/catalogue/fees';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { ServiceDetails } from './catalogue-records.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'agencies.centres': LocalizedText | null;
    'agencies.discounts': DiscountRule[];
    'agencies.name': LocalizedText;
    'categories.description': LocalizedText;
    'categories.name': LocalizedText;
    'services.attachments': AttachmentRule[];
    'services.description': LocalizedText;
    'services.eligibility': EligibilityRule[];
    'services.fees': FeeRule[];
    'services.form': ServiceForm;
    'services.name': LocalizedText;
    'services.result': LocalizedText;
    'services.steps': LocalizedText[];
    'services.terms': LocalizedText;
    'services.withdrawal': WithdrawalRule;
  }
}

/** The version of the catalogue; every change of it increases the number. */
export async function readCatalogueVersion(database: Database | Transaction): Promise<number> {
  return (
    await database.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow()
  ).version;
}

// So many are read within 10 ms; others are served between two parts.
const servicesAtOnce = 1000;

const selectServicesAfter = (transaction: Transaction, id: number) =>
  transaction
    .selectFrom('services')
    .select(['id', 'replaced_name', 'name', 'description', 'agency_id', 'category_id'])
    .select(['partner_id', 'working_days', 'popular_rank', 'ours_in', 'withdrawal'])
    .select(['objection_days', 'available_from', 'available_until'])
    // Most services share these with others: each distinct text is parsed once.
    .select([sql<string>`fees::text`.as('fees'), sql<string>`eligibility::text`.as('eligibility')])
    .select(sql<number>`jsonb_array_length(attachments)`.as('attachments_count'))
    .where('deleted_at', 'is', null)
    .where('id', '>', id)
    .orderBy('id')
    .limit(servicesAtOnce)
    .execute();

async function readServices(transaction: Transaction) {
  const services: Awaited<ReturnType<typeof selectServicesAfter>> = [];
  for (;;) {
    const part = await selectServicesAfter(transaction, services.at(-1)?.id ?? 0);
    services.push(...part);
    if (part.length < servicesAtOnce) return services;
  }
}

/** The whole catalogue and its version, from one consistent snapshot. */
export async function readCatalogue(database: Database) {
  return inSnapshot(database, async (transaction) => ({
    ...(await transaction
      .selectFrom('catalogue_version')
      .select('version')
      .executeTakeFirstOrThrow()),
    accountTypes: await transaction.selectFrom('account_types').selectAll().orderBy('id').execute(),
    agencies: await transaction
      .selectFrom('agencies')
      .selectAll()
      .orderBy('position')
      .orderBy('id')
      .execute(),
    categories: await transaction
      .selectFrom('categories')
      .selectAll()
      .orderBy('position')
      .orderBy('id')
      .execute(),
    services: await readServices(transaction),
    synonyms: await transaction
      .selectFrom('search_synonyms')
      .select(['words', 'agency_id as agencyId'])
      .orderBy('id')
      .execute(),
    closures: await transaction
      .selectFrom('service_closures')
      .select(['service_id', 'reason', 'closed_from', 'closed_until'])
      .where('opened_at', 'is', null)
      .where((or) => or.or([or('closed_until', 'is', null), or('closed_until', '>', new Date())]))
      .execute(),
    serviceAccountTypes: await transaction
      .selectFrom('service_account_types')
      .selectAll()
      .orderBy('account_type_id')
      .execute(),
  }));
}
export type CatalogueRows = Awaited<ReturnType<typeof readCatalogue>>;

/** The details of a service, if the catalogue still has this version and the service. */
export async function readServiceDetails(
  database: Database,
  serviceId: number,
  version: number,
): Promise<ServiceDetails | undefined> {
  return database
    .selectFrom('services')
    .innerJoin('catalogue_version', (join) => join.on('version', '=', version))
    .select(['version', 'form', 'attachments', 'terms', 'steps', 'result'])
    .select(
      sql<string>`encode(sha256(convert_to(form::text || attachments::text, 'UTF8')), 'hex')`.as(
        'formHash',
      ),
    )
    .where('services.id', '=', serviceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Marks a service as deleted. False if it does not exist or is deleted already. */
export async function markServiceDeleted(
  transaction: Transaction,
  serviceId: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('services')
    .set({ deleted_at: new Date() })
    .where('id', '=', serviceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The names of the partners that provide services, by id. */
export async function selectPartnerNames(
  database: Database,
): Promise<ReadonlyMap<number, LocalizedText>> {
  const rows = await database
    .selectFrom('partners')
    .select(['id', 'name'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('services').select('services.id').whereRef('partner_id', '=', 'partners.id'),
      ),
    )
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
