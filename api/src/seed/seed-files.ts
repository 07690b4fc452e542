import { readdir, readFile } from 'node:fs/promises';
import type { z } from 'zod';
import * as shapes from './seed-shapes.ts';

const folder = new URL('../../seed/', import.meta.url);

async function readSeed<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T>> {
  const result = shape.safeParse(JSON.parse(await readFile(new URL(path, folder), 'utf8')));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Error(
    `api/seed/${path} cannot be used: ${issue?.message} (at ${issue?.path.join('.') || 'its top'})`,
  );
}

async function readForms(): Promise<Map<string, shapes.FormFile>> {
  const names = (await readdir(new URL('catalogue/forms/', folder))).filter((name) =>
    name.endsWith('.json'),
  );
  const forms = await Promise.all(
    names.map((name) => readSeed(`catalogue/forms/${name}`, shapes.formFile)),
  );
  return new Map(forms.map((form) => [form.name, form]));
}

/** Resolves a reference from one seed file to another. Throws for a missing one. */
export function resolve<T>(map: ReadonlyMap<string, T>, name: string, what: string): T {
  const value = map.get(name);
  if (value === undefined)
    throw new Error(`The seed names ${what} ${name}, which it does not hold`);
  return value;
}

/** Reads the account types, whose ids the specification fixes (§3). */
export const readAccountTypes = () => readSeed('catalogue/account-types.json', shapes.accountTypes);

/** Reads and validates the files of the demo seed. Throws one line that names the first error. */
export async function readSeedFiles() {
  const [
    agencies,
    categories,
    accountTypes,
    eligibility,
    forms,
    people,
    rejectionReasons,
    attachmentTypes,
    referralCodes,
    details,
    calendars,
  ] = await Promise.all([
    readSeed('catalogue/agencies.json', shapes.agencies),
    readSeed('catalogue/categories.json', shapes.categories),
    readAccountTypes(),
    readSeed('catalogue/eligibility.json', shapes.eligibility),
    readForms(),
    readSeed('people.json', shapes.people),
    readSeed('rejection-reasons.json', shapes.rejectionReasons),
    readSeed('attachment-types.json', shapes.attachmentTypes),
    readSeed('referral-codes.json', shapes.referralCodes),
    readSeed('portal-details.json', shapes.details),
    readSeed('calendars.json', shapes.calendars),
  ]);
  const lists = await Promise.all(
    agencies.map(async ({ slug }) =>
      (await readSeed(`catalogue/services/${slug}.json`, shapes.services)).map((service) => ({
        agency: slug,
        service,
      })),
    ),
  );
  return {
    agencies,
    categories,
    accountTypes,
    eligibility,
    forms,
    people,
    rejectionReasons,
    attachmentTypes,
    referralCodes,
    details,
    calendars,
    services: shapes.allServices.parse(lists.flat()),
  };
}
export type SeedFiles = Awaited<ReturnType<typeof readSeedFiles>>;
