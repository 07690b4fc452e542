import { accountTypeIds } from '@diwan/contract/catalogue/account-types';
import { eligibilityRules, type EligibilityRule } from '@diwan/contract/forms/eligibility';
import type { Transaction } from '../platform/database/database.ts';
import { resolve, type SeedFiles } from './seed-files.ts';
import type { SeedService } from './seed-shapes.ts';

type Ids = ReadonlyMap<string, number>;

const json = (value: unknown) => JSON.stringify(value);
const logo = (kind: string, slug: string) => `/logos/${kind}/${slug}.svg`;

async function seedGroups(
  transaction: Transaction,
  { accountTypes, agencies, categories }: SeedFiles,
): Promise<{ agencyIds: Ids; categoryIds: Ids }> {
  await transaction
    .insertInto('account_types')
    .values(
      accountTypes.map(({ accountTypeId, slug, name, alt, description }) => ({
        id: accountTypeId,
        slug,
        name: json(name),
        alt: json(alt),
        description: json(description),
        logo: logo('account-types', slug),
      })),
    )
    .execute();
  const agencyRows = await transaction
    .insertInto('agencies')
    .values(
      agencies.map(({ slug, name, oursIn }) => ({
        slug,
        name: json(name),
        logo: logo('agencies', slug),
        ours_in: oursIn,
      })),
    )
    .returning(['id', 'slug'])
    .execute();
  const categoryRows = await transaction
    .insertInto('categories')
    .values(
      categories.map(({ slug, name, description, oursIn }) => ({
        slug,
        name: json(name),
        description: json(description),
        logo: logo('categories', slug),
        ours_in: oursIn,
      })),
    )
    .returning(['id', 'slug'])
    .execute();
  const bySlug = (rows: { id: number; slug: string }[]) =>
    new Map(rows.map(({ id, slug }) => [slug, id]));
  return { agencyIds: bySlug(agencyRows), categoryIds: bySlug(categoryRows) };
}

/**
 * The rules of a service by what the seed says of it, of its form and of its persona. Throws when
 * two of them share a name.
 */
export function eligibilityOf(
  service: SeedService['service'],
  { eligibility }: Pick<SeedFiles, 'eligibility'>,
): EligibilityRule[] {
  const isOf = ({ services, forms, personas, except = [] }: SeedFiles['eligibility'][number]) =>
    !except.includes(service.replacedName) &&
    (services?.includes(service.replacedName) ||
      (forms?.includes(service.form) && (!personas || personas.includes(service.persona))));
  return eligibilityRules.parse(eligibility.filter(isOf).flatMap(({ rules }) => rules));
}

function rowOf(
  { agency, service }: SeedService,
  files: SeedFiles,
  agencyIds: Ids,
  categoryIds: Ids,
  partnerIds: Ids,
) {
  const { form, attachments, fees, workingDays, terms, steps, result } = resolve(
    files.forms,
    service.form,
    'the form',
  );
  return {
    replaced_name: service.replacedName,
    name: json(service.name),
    description: json(service.description),
    agency_id: resolve(agencyIds, agency, 'the agency'),
    category_id: resolve(categoryIds, service.category, 'the category'),
    partner_id: partnerIds.get(agency) ?? null,
    form: json(form),
    attachments: json(attachments),
    fees: json(fees),
    working_days: workingDays,
    terms: json(terms),
    steps: json(steps),
    result: json(result),
    popular_rank: service.popularRank ?? null,
    eligibility: json(eligibilityOf(service, files)),
    ours_in: [...new Set([...service.oursIn.name, ...service.oursIn.description])],
  };
}

/**
 * Account types, agencies, categories and services. `partnerIds` by the slug of the agency whose
 * services they provide.
 */
export async function seedCatalogue(
  transaction: Transaction,
  files: SeedFiles,
  partnerIds: Ids,
): Promise<void> {
  const { agencyIds, categoryIds } = await seedGroups(transaction, files);
  await transaction.insertInto('search_synonyms').values(files.synonyms).execute();
  const rows = await transaction
    .insertInto('services')
    .values(
      files.services.map((service) => rowOf(service, files, agencyIds, categoryIds, partnerIds)),
    )
    .returning(['id', 'replaced_name'])
    .execute();
  const idByName = new Map(rows.map((row) => [row.replaced_name, row.id]));
  await transaction
    .insertInto('service_account_types')
    .values(
      files.services.map(({ service }) => ({
        service_id: resolve(idByName, service.replacedName, 'the service'),
        account_type_id: accountTypeIds[service.persona],
      })),
    )
    .execute();
}
