import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  catalogueFileFormat,
  type CatalogueFile,
  type FileAccountType,
  type FileService,
} from '@diwan/contract/catalogue/catalogue-file';
import { accountTypeIds, type AccountTypeSlug } from '@diwan/contract/catalogue/account-types';
import { catalogueLists, type CatalogueList } from '@diwan/contract/catalogue/transfer';
import { languages } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { selectGroups } from '../groups/groups.store.ts';
import { selectServicesAfter, selectSynonyms } from './export.store.ts';
import { localizedHeader, sheetColumns, writeCells, type Cell } from './sheets.ts';

const slugOfType = new Map(
  Object.entries(accountTypeIds).map(([slug, id]) => [id as number, slug as AccountTypeSlug]),
);

/** The whole catalogue, retired records too. Forms that several services have are written once. */
export async function exportCatalogueFile(
  database: Database | Transaction,
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
  for (let rows = await selectServicesAfter(database, 0); rows.length > 0;) {
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
        popularRank: row.popular_rank,
        eligibility: row.eligibility,
        partner: row.partner_id,
        isRetired: row.deleted_at !== null,
      });
    }
    rows = await selectServicesAfter(database, rows.at(-1)?.id ?? 0);
  }
  const types = await database.selectFrom('account_types').selectAll().orderBy('id').execute();
  return {
    accountTypes: types.map(({ slug, name, alt, description }) => ({
      slug: slug as FileAccountType['slug'],
      name,
      alt,
      description,
    })),
    agencies: agencies.map(({ slug, name, logo, retired_at: retired }) => ({
      slug,
      name,
      logo,
      isRetired: retired !== null,
    })),
    categories: categories.map(({ slug, name, description, logo, retired_at: retired }) => ({
      slug,
      name,
      ...(description ? { description } : {}),
      logo,
      isRetired: retired !== null,
    })),
    forms: [...forms.values()],
    services,
    synonyms: await selectSynonyms(database),
  };
}

/** A JSON file with a line for each entry, so that two of them can be compared line by line. */
export function writeJsonFile(file: CatalogueFile): string {
  const lists = Object.entries(file).map(
    ([name, entries]: [string, unknown[]]) =>
      `${JSON.stringify(name)}: [\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`,
  );
  return `{\n"format": ${JSON.stringify(catalogueFileFormat)},\n${lists.join(',\n')}\n}\n`;
}

function sheetRows(list: CatalogueList, file: CatalogueFile): Map<string, Cell>[] {
  if (list !== 'fees') return file[list].map((entry) => writeCells(list, entry));
  return file.services.flatMap(({ replacedName, fees = [] }) =>
    fees.map((fee) => writeCells('fees', { service: replacedName, ...fee })),
  );
}

// All columns of a sheet, those of long texts as far as they are needed.
function headersOf(list: CatalogueList, rows: readonly Map<string, Cell>[]): string[] {
  const used = new Set(rows.flatMap((row) => [...row.keys()]));
  return Object.entries(sheetColumns[list]).flatMap(([field, kind]) => {
    if (kind === 'localized' || kind === 'lines')
      return languages.map((language) => localizedHeader(field, language));
    if (kind !== 'long') return [field];
    const parts = [...used].filter((header) => header.startsWith(`${field} `));
    return Array.from({ length: Math.max(1, parts.length) }, (_, part) => `${field} ${part + 1}`);
  });
}

/** A workbook with a sheet for each list. */
export async function writeWorkbook(file: CatalogueFile): Promise<Buffer> {
  // Loaded when somebody exports: the library takes a third of a second.
  const { default: ExcelJS } = await import('exceljs');
  const stream = new PassThrough();
  const content = buffer(stream);
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  for (const list of catalogueLists) {
    const rows = sheetRows(list, file);
    const headers = headersOf(list, rows);
    const sheet = workbook.addWorksheet(list, {
      views: [{ state: 'frozen', ySplit: 1, xSplit: 1 }],
    });
    sheet.columns = headers.map((header) => ({ header, width: header.includes('(') ? 36 : 18 }));
    sheet.getRow(1).font = { bold: true };
    for (const [index, row] of rows.entries()) {
      sheet.addRow(headers.map((header) => row.get(header) ?? null)).commit();
      // Others are served in between.
      if (index % 100 === 99) await nextTurn();
    }
    sheet.commit();
  }
  await workbook.commit();
  return content;
}
