import { readdir, readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { resolveParts, type Parts } from './resolve-parts.ts';
import * as shapes from './seed-shapes.ts';
import { settleChoices } from './settle-choices.ts';

const folder = new URL('../../seed/', import.meta.url);

const readJson = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(path, folder), 'utf8'));

/** The shared parts of forms, from all files of their folder. Throws for a name that is used twice. */
async function readParts(): Promise<Parts> {
  const parts = new Map<string, unknown>();
  for (const file of await readdir(new URL('catalogue/parts/', folder)))
    for (const [name, part] of Object.entries(
      (await readJson(`catalogue/parts/${file}`)) as object,
    )) {
      if (parts.has(name)) throw new Error(`The part ${name} of the seed is there twice`);
      parts.set(name, part);
    }
  return parts;
}

function resolveIn(path: string, document: unknown, parts: Parts): unknown {
  try {
    return resolveParts(document, parts);
  } catch (error) {
    throw new Error(`api/seed/${path} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The form of a service, without what its own choices settle. Throws for a form that cannot be used. */
export function formOfService(
  { replacedName, form, choices }: shapes.SeedService['service'],
  forms: ReadonlyMap<string, shapes.FormFile>,
): shapes.FormFile {
  const shared = resolve(forms, form, 'the form');
  if (!choices) return shared;
  try {
    return shapes.formFile.parse(settleChoices(shared, choices));
  } catch (error) {
    throw new Error(
      `The service ${replacedName} of the seed cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function readSeed<T extends z.ZodType>(
  path: string,
  shape: T,
  parts?: Parts,
): Promise<z.output<T>> {
  const content = await readJson(path);
  const result = shape.safeParse(parts ? resolveIn(path, content, parts) : content);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Error(
    `api/seed/${path} cannot be used: ${issue?.message} (at ${issue?.path.join('.') || 'its top'})`,
  );
}

async function readForms(parts: Parts): Promise<Map<string, shapes.FormFile>> {
  const names = (await readdir(new URL('catalogue/forms/', folder))).filter((name) =>
    name.endsWith('.json'),
  );
  const forms = await Promise.all(
    names.map((name) => readSeed(`catalogue/forms/${name}`, shapes.formFile, parts)),
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
  const parts = await readParts();
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
    readForms(parts),
    readSeed('people.json', shapes.people),
    readSeed('rejection-reasons.json', shapes.rejectionReasons),
    readSeed('attachment-types.json', shapes.attachmentTypes),
    readSeed('referral-codes.json', shapes.referralCodes),
    readSeed('portal-details.json', shapes.details),
    readSeed('calendars.json', shapes.calendars),
  ]);
  const lists = await Promise.all(
    agencies.map(async ({ slug }) =>
      (await readSeed(`catalogue/services/${slug}.json`, shapes.services, parts)).map(
        (service) => ({
          agency: slug,
          service,
        }),
      ),
    ),
  );
  const services = shapes.allServices.parse(lists.flat());
  for (const { service } of services) shapes.checkOwnFees(service, formOfService(service, forms));
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
    services,
  };
}
export type SeedFiles = Awaited<ReturnType<typeof readSeedFiles>>;
