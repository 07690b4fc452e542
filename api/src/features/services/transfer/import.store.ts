import { isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { FileForm } from '@diwan/contract/catalogue/catalogue-file';
import {
  usualObjectionDays,
  usualWithdrawalRule,
  type FeeRule,
  type WithdrawalRule,
} from '@diwan/contract/catalogue/fees';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { VatTreatment } from '@diwan/contract/wire/money';

/** A service of a file with the ids of what it names; a field that is missing stays as it is. */
export interface ServiceInput {
  index: number;
  replaced_name: string;
  name?: LocalizedText | undefined;
  description?: LocalizedText | undefined;
  agency_id?: number | undefined;
  category_id?: number | undefined;
  account_types?: number[] | undefined;
  form_key?: string | undefined;
  fees?: unknown;
  working_days?: number | undefined;
  terms?: LocalizedText | undefined;
  steps?: LocalizedText[] | undefined;
  result?: LocalizedText | undefined;
  issues_document?: boolean | undefined;
  withdrawal?: WithdrawalRule | undefined;
  objection_days?: number | undefined;
  popular_rank?: number | null | undefined;
  has_popular_rank: boolean;
  eligibility?: unknown;
  partner_id?: number | null | undefined;
  has_partner: boolean;
  is_retired?: boolean | undefined;
}

/** The fields of a service that are shown before and after. */
export interface ShownFields {
  name: LocalizedText;
  agency: number;
  category: number;
  accountTypes: number[] | null;
  fees: (Pick<FeeRule, 'name' | 'title' | 'amount' | 'rate' | 'maximum'> & VatTreatment)[];
  workingDays: number;
  popularRank: number | null;
  partner: number | null;
  isRetired: boolean;
}

/** A service of the file beside the stored one: `id` is null for a new one. */
export interface ComparedService {
  index: number;
  id: number | null;
  was_retired: boolean;
  fields: string[];
  before: ShownFields;
}

const inputs = (services: readonly ServiceInput[]) => sql`
  jsonb_to_recordset(${JSON.stringify(services)}::jsonb) as given (
    index int, replaced_name text, name jsonb, description jsonb, agency_id int, category_id int,
    account_types int[], form_key text, fees jsonb, working_days int, terms jsonb, steps jsonb,
    result jsonb, issues_document boolean, withdrawal jsonb, objection_days int,
    popular_rank int, has_popular_rank boolean,
    eligibility jsonb, partner_id int, has_partner boolean, is_retired boolean
  )`;

// The forms of a batch are sent once: many services have the same.
const formsOf = (
  services: readonly ServiceInput[],
  forms: ReadonlyMap<string, FileForm>,
): string => {
  const keys = new Set(services.flatMap(({ form_key: key }) => (key === undefined ? [] : [key])));
  return JSON.stringify(Object.fromEntries([...keys].map((key) => [key, forms.get(key)])));
};

const storedTypes = sql`(
  select array_agg(account_type_id order by account_type_id)
  from service_account_types
  where service_id = services.id
)`;

/** Compares services with the stored ones, in the database: forms stay there. */
export async function compareServices(
  database: Database | Transaction,
  services: readonly ServiceInput[],
  forms: ReadonlyMap<string, FileForm>,
): Promise<ComparedService[]> {
  const differs = (field: string, given: string, stored = given) =>
    `case when given.${given} is not null and given.${given} is distinct from services.${stored}
      then '${field}' end`;
  const { rows } = await sql<ComparedService>`
    select given.index, services.id,
      services.deleted_at is not null as was_retired,
      array_remove(array[
        ${sql.raw(
          [
            differs('name', 'name'),
            differs('description', 'description'),
            differs('agency', 'agency_id'),
            differs('category', 'category_id'),
            differs('fees', 'fees'),
            differs('workingDays', 'working_days'),
            differs('terms', 'terms'),
            differs('steps', 'steps'),
            differs('result', 'result'),
            differs('issuesDocument', 'issues_document'),
            differs('withdrawal', 'withdrawal'),
            differs('objectionDays', 'objection_days'),
            differs('eligibility', 'eligibility'),
          ].join(',\n        '),
        )},
        case when given.has_popular_rank and given.popular_rank is distinct from services.popular_rank
          then 'popularRank' end,
        case when given.has_partner and given.partner_id is distinct from services.partner_id
          then 'partner' end,
        case when given.account_types is not null and given.account_types is distinct from ${storedTypes}
          then 'accountTypes' end,
        case when given_form is not null and (given_form -> 'form') is distinct from services.form
          then 'form' end,
        case when given_form is not null and (given_form -> 'attachments') is distinct from services.attachments
          then 'attachments' end,
        case when given.is_retired is not null
            and given.is_retired is distinct from (services.deleted_at is not null)
          then 'isRetired' end
      ], null) as fields,
      jsonb_build_object(
        'name', services.name, 'agency', services.agency_id, 'category', services.category_id,
        'accountTypes', ${storedTypes}, 'fees', services.fees,
        'workingDays', services.working_days, 'popularRank', services.popular_rank,
        'partner', services.partner_id, 'isRetired', services.deleted_at is not null
      ) as before
    from ${inputs(services)}
    left join services on services.replaced_name = given.replaced_name
    cross join lateral (
      select ${formsOf(services, forms)}::jsonb -> given.form_key as given_form
    ) as forms
    order by given.index`.execute(database);
  return rows;
}

/** Inserts new services. Returns their ids by index. */
export async function insertServices(
  transaction: Transaction,
  services: readonly ServiceInput[],
  forms: ReadonlyMap<string, FileForm>,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; replaced_name: string }>`
    insert into services (
      replaced_name, name, description, agency_id, category_id, partner_id, form, attachments,
      fees, working_days, terms, steps, result, issues_document, withdrawal, objection_days, popular_rank, eligibility,
      deleted_at
    )
    select given.replaced_name, given.name, given.description, agency_id, category_id, partner_id,
      given_form -> 'form', given_form -> 'attachments', coalesce(fees, '[]'), working_days, terms, steps,
      result, coalesce(issues_document, false),
      coalesce(withdrawal, ${JSON.stringify(usualWithdrawalRule)}::jsonb),
      coalesce(objection_days, ${usualObjectionDays}), popular_rank, coalesce(eligibility, '[]'),
      case when is_retired then now() end
    from ${inputs(services)}
    cross join lateral (
      select ${formsOf(services, forms)}::jsonb -> given.form_key as given_form
    ) as forms
    order by given.index
    returning id, replaced_name`.execute(transaction);
  const idByName = new Map(rows.map((row) => [row.replaced_name, row.id]));
  return new Map(
    services.flatMap(({ index, replaced_name: name }) => {
      const id = idByName.get(name);
      return id === undefined ? [] : [[index, id] as const];
    }),
  );
}

/** Changes stored services; what came with the product as our own wording is no longer marked. */
export async function updateServices(
  transaction: Transaction,
  services: readonly ServiceInput[],
  forms: ReadonlyMap<string, FileForm>,
): Promise<void> {
  await sql`
    update services
    set name = coalesce(given.name, services.name),
      description = coalesce(given.description, services.description),
      ours_in = case
        when coalesce(given.name, services.name) = services.name
          and coalesce(given.description, services.description) = services.description
        then services.ours_in
        else '{}'
      end,
      agency_id = coalesce(given.agency_id, services.agency_id),
      category_id = coalesce(given.category_id, services.category_id),
      partner_id = case when has_partner then given.partner_id else services.partner_id end,
      form = coalesce(given_form -> 'form', services.form),
      attachments = coalesce(given_form -> 'attachments', services.attachments),
      fees = coalesce(given.fees, services.fees),
      working_days = coalesce(given.working_days, services.working_days),
      terms = coalesce(given.terms, services.terms),
      steps = coalesce(given.steps, services.steps),
      result = coalesce(given.result, services.result),
      issues_document = coalesce(given.issues_document, services.issues_document),
      withdrawal = coalesce(given.withdrawal, services.withdrawal),
      objection_days = coalesce(given.objection_days, services.objection_days),
      popular_rank = case
        when has_popular_rank then given.popular_rank
        else services.popular_rank
      end,
      eligibility = coalesce(given.eligibility, services.eligibility),
      deleted_at = case
        when given.is_retired is null then services.deleted_at
        when given.is_retired then coalesce(services.deleted_at, now())
      end
    from ${inputs(services)}
    cross join lateral (
      select ${formsOf(services, forms)}::jsonb -> given.form_key as given_form
    ) as forms
    where services.replaced_name = given.replaced_name`.execute(transaction);
}

/** Replaces the account types of services. */
export async function replaceAccountTypes(
  transaction: Transaction,
  services: readonly { id: number; types: readonly number[] }[],
): Promise<void> {
  if (services.length === 0) return;
  await transaction
    .deleteFrom('service_account_types')
    .where(
      'service_id',
      'in',
      services.map(({ id }) => id),
    )
    .execute();
  await transaction
    .insertInto('service_account_types')
    .values(
      services.flatMap(({ id, types }) =>
        types.map((type) => ({ service_id: id, account_type_id: type })),
      ),
    )
    .execute();
}

/** The services of some agencies that people can request and that a file does not name. */
export async function selectMissingServices(
  database: Database | Transaction,
  names: readonly string[],
  scope: AgencyScope,
): Promise<{ replaced_name: string }[]> {
  const { rows } = await sql<{ replaced_name: string }>`
    select replaced_name
    from services
    where deleted_at is null
      and replaced_name <> all (${[...names]}::text[])
      -- guard: services that a file of an agency administrator retires (transfer)
      and ${isInScope(scope, sql`agency_id`)}
    order by id`.execute(database);
  return rows;
}

export async function selectPartnerIds(database: Database | Transaction): Promise<Set<number>> {
  const rows = await database.selectFrom('partners').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** The version of the catalogue; the transaction keeps others from changing it. */
export async function lockCatalogueVersion(transaction: Transaction): Promise<number> {
  return (
    await transaction
      .selectFrom('catalogue_version')
      .select('version')
      .forUpdate()
      .executeTakeFirstOrThrow()
  ).version;
}

/** Changes texts of an account type. */
export async function updateAccountType(
  transaction: Database | Transaction,
  id: number,
  texts: Readonly<Record<string, LocalizedText>>,
): Promise<void> {
  await transaction
    .updateTable('account_types')
    .set((eb) => ({
      ...Object.fromEntries(
        Object.entries(texts).map(([field, value]) => [field, JSON.stringify(value)]),
      ),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Adds a group of synonyms. */
export function insertSynonym(
  transaction: Database | Transaction,
  words: string[],
): Promise<{ id: number }> {
  return transaction
    .insertInto('search_synonyms')
    .values({ words })
    .returning('id')
    .executeTakeFirstOrThrow();
}
