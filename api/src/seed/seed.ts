import { inTransaction } from '#platform/database/unit-of-work.ts';
import { accountTypeIds } from '@diwan/contract/catalogue/account-types';
import { eligibilityRules, type EligibilityRule } from '@diwan/contract/catalogue/eligibility';
import { startOfDay } from '@diwan/contract/wire/days';
import type { Config } from '../config.ts';
import { storeCalendar } from '../features/calendars/calendars.actions.ts';
import { hashPassword } from '../platform/auth/password-hash.ts';
import type { Database, Transaction } from '../platform/database/database.ts';
import { acquireNamedLock } from '../platform/database/named-lock.ts';
import { sql } from '../platform/database/sql.ts';
import {
  formOfService,
  readAccountTypes,
  readSeedFiles,
  resolve,
  type SeedFiles,
} from './seed-files.ts';
import type { SeedService } from './seed-shapes.ts';

/** The password of every demo account. A test compares it with api/seed/people.json. */
export const demoPassword = 'DiwanDemo2026!';

type Ids = ReadonlyMap<string, number>;

const json = (value: unknown) => JSON.stringify(value);
const logo = (kind: string, slug: string) => `/logos/${kind}/${slug}.svg`;

async function insertAccountTypes(
  transaction: Transaction,
  accountTypes: SeedFiles['accountTypes'],
): Promise<void> {
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
}

/**
 * Adds the three account types of the specification (§3) to a database without them, so that a
 * catalogue can be made by hand or from a file.
 */
export async function ensureAccountTypes(database: Database): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'seed');
    const known = await transaction.selectFrom('account_types').select('id').execute();
    if (known.length === 0) await insertAccountTypes(transaction, await readAccountTypes());
  });
}

async function insertGroups(
  transaction: Transaction,
  { accountTypes, agencies, categories }: SeedFiles,
): Promise<{ agencyIds: Ids; categoryIds: Ids }> {
  await insertAccountTypes(transaction, accountTypes);
  const agencyRows = await transaction
    .insertInto('agencies')
    .values(
      agencies.map(({ slug, name, oursIn, discounts, emirate }) => ({
        slug,
        name: json(name),
        logo: logo('agencies', slug),
        discounts: json(discounts),
        emirate: emirate ?? null,
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
 * The eligibility rules of a service: those of every entry that names the service, its form or its
 * persona. Throws when two rules share a name.
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

interface GroupIds {
  agencyIds: Ids;
  categoryIds: Ids;
  /** By the slug of the agency whose services the partner provides. */
  partnerIds: Ids;
}

function serviceRow(
  { agency, service }: SeedService,
  files: SeedFiles,
  { agencyIds, categoryIds, partnerIds }: GroupIds,
) {
  const shared = formOfService(service, files.forms);
  const { form, attachments, issuesDocument, withdrawal, objectionDays } = shared;
  const {
    fees = shared.fees,
    workingDays = shared.workingDays,
    terms = shared.terms,
    steps = shared.steps,
    result = shared.result,
  } = service;
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
    issues_document: issuesDocument,
    withdrawal: json(withdrawal),
    objection_days: objectionDays,
    popular_rank: service.popularRank ?? null,
    eligibility: json(eligibilityOf(service, files)),
    ours_in: [...new Set([...service.oursIn.name, ...service.oursIn.description])],
  };
}

// Inserts account types, agencies with their calendars, categories and services.
async function seedCatalogue(
  transaction: Transaction,
  files: SeedFiles,
  partnerIds: Ids,
): Promise<void> {
  const ids = { ...(await insertGroups(transaction, files)), partnerIds };
  await storeCalendar(transaction, null, files.calendars.portal);
  for (const [slug, declared] of Object.entries(files.calendars.agencies))
    await storeCalendar(transaction, resolve(ids.agencyIds, slug, 'the agency'), declared);
  const rows = await transaction
    .insertInto('services')
    .values(files.services.map((service) => serviceRow(service, files, ids)))
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

type People = SeedFiles['people'];

// One row at a time, because the ids of several rows could only be matched by their order.
async function insertCompanies(
  transaction: Transaction,
  companies: People['companies'],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, name, details } of companies) {
    const { licenceNumber, licenceAuthority, licenceExpiresOn, ...others } = details;
    const { id } = await transaction
      .insertInto('companies')
      .values({
        name: json(name),
        ...others,
        licence_number: licenceNumber,
        licence_authority: licenceAuthority,
        licence_expires_on: licenceExpiresOn,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(key, id);
  }
  return ids;
}

async function insertPartners(
  transaction: Transaction,
  partners: People['partners'],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, name } of partners) {
    const { id } = await transaction
      .insertInto('partners')
      .values({ name: json(name) })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(key, id);
  }
  return ids;
}

// Inserts companies, partners and one account for each role. Returns the id of the partner that provides
// the services of an agency, by the agency's slug.
async function seedPeople(
  transaction: Transaction,
  { people, agencies }: SeedFiles,
): Promise<Map<string, number>> {
  const companyIds = await insertCompanies(transaction, people.companies);
  const partnerIds = await insertPartners(transaction, people.partners);
  const rows = await Promise.all(
    people.accounts.map(async (account) => ({
      username: account.username,
      password_hash: await hashPassword(people.password),
      full_name: account.fullName,
      full_name_ar: account.fullNameAr,
      phone_number: account.phoneNumber,
      email: account.email,
      emirates_id: account.emiratesId,
      email_verified_at: new Date(),
      phone_verified_at: new Date(),
      roles: account.roles,
      all_agencies: account.agencies === 'all',
      reads_urgently: account.readsUrgently,
      company_id: account.company ? resolve(companyIds, account.company, 'the company') : null,
      partner_id: account.partner ? resolve(partnerIds, account.partner, 'the partner') : null,
      is_company_manager: account.company !== undefined,
    })),
  );
  await transaction.insertInto('users').values(rows).execute();

  const slugs = new Map(agencies.map(({ slug }) => [slug, slug]));
  return new Map(
    people.partners.flatMap(({ key, agencies: served }) =>
      served.map(
        (slug) =>
          [resolve(slugs, slug, 'the agency'), resolve(partnerIds, key, 'the partner')] as const,
      ),
    ),
  );
}

async function seedAgenciesOfStaff(transaction: Transaction, { accounts }: People): Promise<void> {
  for (const { username, agencies = 'all' } of accounts) {
    if (agencies === 'all') continue;
    await transaction
      .insertInto('staff_agencies')
      .columns(['user_id', 'agency_id'])
      .expression((eb) =>
        eb
          .selectFrom(['users', 'agencies'])
          .select(['users.id', 'agencies.id'])
          .where('username', '=', username)
          .where('slug', 'in', agencies),
      )
      .execute();
  }
}

async function seedTeams(transaction: Transaction, { teams }: People): Promise<void> {
  for (const { agency, name, members, categories } of teams)
    await sql`
      with made as (
        insert into teams (agency_id, name)
        select id, ${name}
        from agencies
        where slug = ${agency}
        returning id, agency_id
      ), limited as (
        update staff_agencies
        set teams_only = true
        from made, users
        where staff_agencies.agency_id = made.agency_id
          and staff_agencies.user_id = users.id
          and username = any(${members}::text[])
        returning made.id, made.agency_id, users.id as user_id
      ), member as (
        insert into team_members (team_id, agency_id, user_id)
        select id, agency_id, user_id
        from limited
      )
      insert into team_categories (team_id, category_id)
      select made.id, categories.id
      from made, categories
      where slug = any(${categories}::text[])`.execute(transaction);
}

async function isEmpty(transaction: Transaction): Promise<boolean> {
  const { filled } = await transaction
    .selectNoFrom(({ exists, or, selectFrom }) =>
      or([
        exists(selectFrom('services').select('id')),
        exists(selectFrom('account_types').select('id')),
        exists(selectFrom('users').select('id')),
      ]).as('filled'),
    )
    .executeTakeFirstOrThrow();
  return !filled;
}

/**
 * Fills an empty database with the demo: the catalogue, the people, the rejection reasons, the
 * referral codes and the name of the portal. A database with any data is not changed. Of several
 * processes at the same time, one fills the database and the others wait. `report` receives a line
 * after the work. Throws outside a demonstration.
 */
export async function seedDemo(
  database: Database,
  { SEED, SANDBOX }: Pick<Config, 'SEED' | 'SANDBOX'>,
  report: (line: string) => void,
): Promise<void> {
  if (SEED !== 'demo' || SANDBOX !== 'on')
    throw new Error('The demo accounts belong to a demonstration only');
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'seed');
    if (!(await isEmpty(transaction))) return;
    const files = await readSeedFiles();
    await seedCatalogue(transaction, files, await seedPeople(transaction, files));
    await seedAgenciesOfStaff(transaction, files.people);
    await seedTeams(transaction, files.people);
    await transaction
      .insertInto('rejection_reasons')
      .values(
        files.rejectionReasons.map(({ kind, about, name }) => ({
          kind,
          about: about ?? null,
          name: JSON.stringify(name),
        })),
      )
      .execute();
    await transaction
      .insertInto('attachment_types')
      .values(
        files.attachmentTypes.map((type, index) => ({
          name: JSON.stringify(type.name),
          description: JSON.stringify(type.description),
          media_types: type.mediaTypes,
          maximum_bytes: type.maximumBytes,
          maximum_count: type.maximumCount,
          position: index + 1,
        })),
      )
      .execute();
    await transaction
      .insertInto('referral_codes')
      .values(
        files.referralCodes.map(({ code, name, validUntil, mostUses }) => ({
          code,
          name: JSON.stringify(name),
          valid_from: startOfDay('2025-01-01'),
          ...(validUntil ? { valid_until: new Date(validUntil) } : {}),
          ...(mostUses ? { most_uses: mostUses } : {}),
        })),
      )
      .execute();
    await transaction
      .insertInto('portal_details')
      .values({ content: JSON.stringify(files.details), first_day_hidden_at: new Date() })
      .execute();
    const { services, agencies, people } = files;
    report(
      `Seeded the demo: ${services.length} services of ${agencies.length} agencies, ` +
        `${people.accounts.length} accounts`,
    );
  });
}
