import { z } from 'zod';
import { agencyContentReaders, agencyEditors, defineCall } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';
import { chargedFils, maximumCharge, vatCategories } from '../wire/money.ts';

/** The forms of a catalogue file; CSV holds one list. */
export const catalogueFormats = ['json', 'xlsx', 'csv'] as const;
export type CatalogueFormat = (typeof catalogueFormats)[number];

/** The largest file of an import, in bytes, and the most services in it. */
export const maximumCatalogueBytes = 60_000_000;
export const maximumImportedServices = 20_000;

/** What an import does with one record. */
export const importActions = ['created', 'changed', 'retired', 'restored'] as const;
/** The lists of a catalogue file: the sheets of a workbook, the lists of a JSON file. */
export const catalogueLists = [
  'accountTypes',
  'agencies',
  'categories',
  'forms',
  'services',
  'fees',
  'synonyms',
] as const;
export type CatalogueList = (typeof catalogueLists)[number];

/**
 * A problem of a file. `row` is the row of the sheet, or the place in the list of a JSON file
 * counted from 1; for a text that is no JSON the line. `column` is the column or the field.
 * `heading` is that column in words; it and `message` are in the caller's language.
 */
export const importProblem = z.object({
  list: z.string(),
  row: z.int(),
  column: z.string(),
  heading: z.string(),
  message: z.string(),
});
export type ImportProblem = z.infer<typeof importProblem>;

const counts = z.object({
  created: z.int(),
  changed: z.int(),
  retired: z.int(),
  restored: z.int(),
  unchanged: z.int(),
});

/** One record that a job changes: `name` in the caller's language, `fields` that change. */
export const jobChange = z.object({
  list: z.enum(catalogueLists),
  key: z.string(),
  name: z.string(),
  action: z.enum(importActions),
  fields: z.array(
    z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() }),
  ),
});
export type JobChange = z.infer<typeof jobChange>;

/** The states of a job; `catalogueJob` explains them. */
export const jobStates = [
  'ready',
  'refused',
  'running',
  'done',
  'cancelled',
  'failed',
  'interrupted',
] as const;
export type JobState = (typeof jobStates)[number];

/**
 * An import or a bulk change. `ready`: prepared, nothing is changed yet. `refused`: the file has
 * problems. `interrupted`: the process ended while it ran; nothing was changed. `changes` holds the
 * first 200 and those of fees up to 1,000, `problems` the first 100 of `problemsCount`. `warnings`: fees
 * that become more than ten times as large, or less than a tenth.
 */
export const catalogueJob = z.object({
  jobId: z.uuid(),
  kind: z.enum(['import', 'bulk']),
  state: z.enum(jobStates),
  total: z.int(),
  done: z.int(),
  counts: z.partialRecord(z.enum(catalogueLists), counts),
  changes: z.array(jobChange),
  changesCount: z.int(),
  problems: z.array(importProblem),
  problemsCount: z.int(),
  warnings: z.array(importProblem),
  warningsCount: z.int(),
});
export type CatalogueJob = z.infer<typeof catalogueJob>;

const jobId = z.uuid();

/**
 * Our own calls. The file can be imported again, here or in another portal. Workbooks and CSV have
 * headings in the caller's language and amounts in dirhams; `List` is that of a CSV file. The file of an
 * administrator of agencies has these agencies and their services alone.
 */
export const exportCatalogue = defineCall({
  name: 'exportCatalogue',
  method: 'GET',
  path: '/api/Service/ExportCatalogue',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The whole catalogue as a JSON file or a workbook, or a list of it as CSV',
  query: z.object({
    Format: z.enum(catalogueFormats),
    List: z.enum(catalogueLists).exclude(['forms']).default('services'),
  }),
  reply: 'file',
  isExport: true,
  refusals: [],
});

/** `RetireMissing`: services that are not in the file are retired, of an administrator of agencies theirs. */
export const prepareCatalogueImport = defineCall({
  name: 'prepareCatalogueImport',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Service/PrepareCatalogueImport',
  who: agencyEditors,
  byAgency: 'rows',
  summary: 'Check a catalogue file and show what it would change; nothing is changed',
  query: z.object({
    Format: z.enum(catalogueFormats),
    RetireMissing: z.enum(['true', 'false']).default('false'),
  }),
  consumes: 'bytes',
  reply: catalogueJob,
  refusals: ['CatalogueFileTooLarge', 'CatalogueFileUnreadable'],
});

const id = recordId;

/** `closed`: it takes no new requests now; `retired`: it is no longer in the catalogue. */
export const serviceStates = ['open', 'closed', 'retired'] as const;

/**
 * Services by exact values, of which all that are given must hold; without a state all that are not
 * retired. `name` is a part of the name in any language; `feeFrom` and `feeTo`, in fils, bound one fee
 * of the service.
 */
export const serviceFilter = z.object({
  name: z.string().trim().min(1).max(200).optional(),
  agencyId: id.optional(),
  categoryId: id.optional(),
  accountTypeId: id.optional(),
  state: z.enum(serviceStates).optional(),
  feeFrom: chargedFils.optional(),
  feeTo: chargedFils.optional(),
});
export type ServiceFilter = z.infer<typeof serviceFilter>;

/** The amounts to whose multiples fees can be rounded, in fils. */
export const roundedTo = { minimum: 2, maximum: 1_000_000 };

/**
 * How every fee changes: by a share in per cent, to an amount, by an amount that is added, or to the next
 * multiple of an amount. Amounts are in fils; no fee falls below 0.
 */
const feeChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('percent'), value: z.number().min(-100).max(1000) }),
  z.object({ change: z.literal('set'), value: chargedFils }),
  z.object({
    change: z.literal('add'),
    value: z.int().min(-maximumCharge).max(maximumCharge),
  }),
  z.object({
    change: z.literal('round'),
    value: z.int().min(roundedTo.minimum).max(roundedTo.maximum),
  }),
]);
export type FeeChange = z.infer<typeof feeChange>;

/**
 * The services are those of `serviceIds`, else all that `all` finds. Values that are absent stay.
 * `fee` and `vatCategory` change every fee; `partnerId` null takes the services from their provider.
 * Our own call.
 */
export const prepareBulkChange = defineCall({
  name: 'prepareBulkChange',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Service/PrepareBulkChange',
  who: agencyEditors,
  byAgency: { service: 'serviceIds' },
  summary: 'Show what a change of many services would do; nothing is changed',
  body: z.object({
    serviceIds: z.array(id).min(1).max(1000).optional(),
    all: serviceFilter.optional(),
    workingDays: z.int().min(0).max(365).optional(),
    categoryId: id.optional(),
    partnerId: id.nullable().optional(),
    fee: feeChange.optional(),
    vatCategory: z.enum(vatCategories).optional(),
    isRetired: z.boolean().optional(),
  }),
  reply: catalogueJob,
  refusals: ['NotFound', 'ServiceNotFound'],
});

/** The services of `leftOut`, by `key` of their change, stay as they are. */
export const runCatalogueJob = defineCall({
  name: 'runCatalogueJob',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Service/RunCatalogueJob',
  who: agencyEditors,
  byAgency: { catalogueJob: 'jobId' },
  summary: 'Carry out a prepared import or bulk change, as one transaction in the background',
  body: z.object({ jobId, leftOut: z.array(z.string().max(200)).max(1000).optional() }),
  reply: catalogueJob,
  refusals: ['NotFound', 'CatalogueHasChanged', 'CatalogueJobRuns'],
});

export const getCatalogueJob = defineCall({
  name: 'getCatalogueJob',
  method: 'GET',
  path: '/api/Service/GetCatalogueJob',
  who: agencyContentReaders,
  byAgency: { catalogueJob: 'jobId' },
  summary: 'How far an import or bulk change is',
  query: z.object({ jobId }),
  reply: catalogueJob,
  refusals: ['NotFound'],
});

export const cancelCatalogueJob = defineCall({
  name: 'cancelCatalogueJob',
  method: 'POST',
  path: '/api/Service/CancelCatalogueJob',
  who: agencyEditors,
  byAgency: { catalogueJob: 'jobId' },
  summary: 'Stop an import or bulk change; nothing of it is stored',
  body: z.object({ jobId }),
  reply: catalogueJob,
  refusals: ['NotFound'],
});
