import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { coversAgency, type AgencyScope } from '#platform/auth/caller.ts';
import { startThread } from '#platform/core/start-thread.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';
import {
  catalogueFileFormat,
  type CatalogueFile,
  type FileAccountType,
  type FileService,
} from '@diwan/contract/catalogue/catalogue-file';
import type { Language } from '@diwan/contract/wire/languages';
import { selectGroups } from '../groups/groups.store.ts';
import { selectAccountTypes, selectServicesAfter, selectSynonyms } from './export.store.ts';
import { emptyFile, partsOf } from './files/check-file.ts';

/** The entries of a part of a JSON file: some hundred kilobytes. */
const linesAtOnce = 100;

const slugOfType = new Map(
  Object.entries(accountTypeIds).map(([slug, id]) => [id as number, slug as AccountTypeSlug]),
);

/**
 * The whole catalogue, or some agencies with their services, retired records too. Forms that several
 * services have are written once. What all agencies share is in the whole catalogue only.
 */
export async function exportCatalogueFile(
  database: Database | Transaction,
  scope: AgencyScope = 'all',
): Promise<CatalogueFile> {
  const [agencies, categories] = [
    await selectGroups(database, 'agencies'),
    await selectGroups(database, 'categories'),
  ];
  const slugOf = (rows: readonly { id: number; slug: string }[]) =>
    new Map(rows.map(({ id, slug }) => [id, slug]));
  const [agencyOf, categoryOf] = [slugOf(agencies), slugOf(categories)];
  const forms = new Map<string, CatalogueFile['forms'][number]>();
  const services: FileService[] = [];
  for (let rows = await selectServicesAfter(database, 0, scope); rows.length > 0;) {
    for (const row of rows) {
      const content = JSON.stringify([row.form, row.attachments]);
      const hash = createHash('sha256').update(content).digest('hex');
      const known = forms.get(hash);
      const key = known?.key ?? `form-${forms.size + 1}`;
      if (!known) forms.set(hash, { key, form: row.form, attachments: row.attachments });
      services.push({
        replacedName: row.replaced_name,
        name: row.name,
        description: row.description,
        agency: agencyOf.get(row.agency_id),
        category: categoryOf.get(row.category_id),
        accountTypes: row.account_types.flatMap((id) => slugOfType.get(id) ?? []),
        form: key,
        fees: row.fees,
        workingDays: row.working_days,
        terms: row.terms,
        steps: row.steps,
        result: row.result,
        issuesDocument: row.issues_document,
        withdrawal: row.withdrawal,
        objectionDays: row.objection_days,
        popularRank: row.popular_rank,
        eligibility: row.eligibility,
        partner: row.partner_id,
        isRetired: row.deleted_at !== null,
      });
    }
    rows = await selectServicesAfter(database, rows.at(-1)?.id ?? 0, scope);
  }
  const isWhole = scope === 'all';
  const types = isWhole ? await selectAccountTypes(database) : [];
  const own = agencies.filter(({ id }) => coversAgency({ scope }, id));
  return {
    accountTypes: types.map(({ slug, name, alt, description }) => ({
      slug: slug as FileAccountType['slug'],
      name,
      alt,
      description,
    })),
    agencies: own.map(({ slug, name, centres, logo, emirate, retired_at: retired }) => ({
      slug,
      name,
      centres,
      logo,
      emirate,
      isRetired: retired !== null,
    })),
    categories: (isWhole ? categories : []).map(
      ({ slug, name, description, logo, retired_at: retired }) => ({
        slug,
        name,
        ...(description ? { description } : {}),
        logo,
        isRetired: retired !== null,
      }),
    ),
    forms: [...forms.values()],
    services,
    synonyms: isWhole ? await selectSynonyms(database) : [],
  };
}

/**
 * A JSON file in parts, with a line for each entry, so that two files can be compared line by line.
 * Others are served between the parts.
 */
export async function* writeJsonFile(file: CatalogueFile): AsyncGenerator<string> {
  yield `{\n"format": ${JSON.stringify(catalogueFileFormat)}`;
  for (const [name, entries] of Object.entries(file) as [string, unknown[]][]) {
    yield `,\n${JSON.stringify(name)}: [\n`;
    for (let first = 0; first < entries.length; first += linesAtOnce) {
      const lines = entries.slice(first, first + linesAtOnce).map((entry) => JSON.stringify(entry));
      yield `${first > 0 ? ',\n' : ''}${lines.join(',\n')}`;
      await nextTurn();
    }
    yield '\n]';
  }
  yield '\n}\n';
}

const maximumSeconds = 120;

/**
 * A workbook with a sheet for each list. A separate thread writes it, so that the server continues;
 * it receives the file in parts, because a message stops both sides while it is copied.
 */
export async function writeWorkbook(file: CatalogueFile, language: Language): Promise<Buffer> {
  const worker = startThread(new URL('files/write-workbook.thread.ts', import.meta.url), {
    workerData: language,
  });
  const timer = setTimeout(() => void worker.terminate(), maximumSeconds * 1000);
  try {
    const written = new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The workbook was not written')));
    });
    const sent = (async () => {
      for (const part of partsOf({ file, rows: emptyFile().rows })) {
        worker.postMessage({ part });
        await nextTurn();
      }
      worker.postMessage({});
    })();
    const [content] = await Promise.all([written, sent]);
    return Buffer.from(content.buffer);
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}
