import type { z } from 'zod';
import { codeOf, parseForIssues, sanitizeFileText } from '#platform/http/validate-input.ts';
import {
  catalogueFileFormat,
  fileEntries,
  fileFee,
  type CatalogueFile,
  type FileService,
} from '@diwan/contract/catalogue/catalogue-file';
import { listFeeProblems } from '@diwan/contract/catalogue/check-fees';
import {
  maximumImportedServices,
  type CatalogueFormat,
  type CatalogueList,
} from '@diwan/contract/catalogue/transfer';
import { findFormProblems } from '@diwan/contract/forms/check-form';
import { readCsvFile } from './csv-file.ts';
import { placeOfJsonError } from './json-error.ts';
import { feeColumnOf, localizedHeader, type FileProblem, type RawEntry } from './sheets.ts';

/** The entries of a file, and the row of each in it. */
export interface FileEntries {
  file: CatalogueFile;
  rows: Record<keyof CatalogueFile, number[]>;
}

/** Some entries of a list of a file, in their order. */
export interface FilePart {
  list: string;
  entries: unknown[];
  rows: number[];
}

// A part of 200 services is about 1 MB: a process that writes or reads it as JSON stops for 10 ms.
const partSize = 200;

/** Cuts the entries of a file into parts. */
export function* partsOf({ file, rows }: FileEntries): Generator<FilePart> {
  for (const list of Object.keys(rows) as (keyof CatalogueFile)[])
    for (let first = 0; first < file[list].length; first += partSize)
      yield {
        list,
        entries: file[list].slice(first, first + partSize),
        rows: rows[list].slice(first, first + partSize),
      };
}

/** A file without entries, which parts are added to. */
export function emptyFile(): FileEntries {
  const lists = () => ({
    accountTypes: [],
    agencies: [],
    categories: [],
    forms: [],
    services: [],
    synonyms: [],
  });
  return { file: lists(), rows: lists() };
}

/** Adds the next part to a file. */
export function addPart({ file, rows }: FileEntries, part: FilePart): void {
  const list = part.list as keyof CatalogueFile;
  (file[list] as unknown[]).push(...part.entries);
  rows[list].push(...part.rows);
}

/** A read file: its entries with their rows, or the problems that were found. */
export interface CheckedFile extends FileEntries {
  problems: FileProblem[];
  problemsCount: number;
}

type RawLists = Map<CatalogueList, RawEntry[]>;

const fileLists = Object.keys(fileEntries) as (keyof CatalogueFile)[];
const maximumProblems = 100;

function readJsonFile(content: Uint8Array): { lists: RawLists; problems: FileProblem[] } {
  const text = new TextDecoder('utf-8').decode(content);
  const none: RawLists = new Map();
  const fail = (problem: Omit<FileProblem, 'list'>) => ({
    lists: none,
    problems: [{ list: 'JSON', ...problem }],
  });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return fail({ ...placeOfJsonError(text), code: 'json' });
  }
  const top = read as Record<string, unknown> | null;
  if (typeof top !== 'object' || top === null || top.format !== catalogueFileFormat)
    return fail({
      row: 1,
      column: 'format',
      code: 'format',
      params: { format: catalogueFileFormat },
    });
  const lists: RawLists = new Map();
  const problems: FileProblem[] = [];
  for (const [name, list] of Object.entries(top)) {
    if (name === 'format') continue;
    const known = fileLists.find((each) => each === name);
    if (!known || !Array.isArray(list))
      problems.push({ list: name, row: 1, column: '', code: known ? 'wrongType' : 'unknownSheet' });
    else
      lists.set(
        known,
        list.map((value: unknown, index) => ({ row: index + 1, value })),
      );
  }
  return { lists, problems };
}

/** The fees of a workbook, which are separate rows, become part of their services. */
function joinFees(lists: RawLists, problems: FileProblem[]): void {
  const fees = lists.get('fees');
  if (!fees) return;
  lists.delete('fees');
  const services = lists.get('services') ?? [];
  lists.set('services', services);
  const byName = new Map(
    services.map(({ value }) => [
      (value as FileService).replacedName,
      Object.assign(value as FileService, { fees: [] as NonNullable<FileService['fees']> }),
    ]),
  );
  for (const { row, value, headers = [] } of fees) {
    const { service, ...fee } = value as { service?: string };
    if (service === undefined) {
      problems.push({ list: 'fees', row, column: 'service', code: 'required' });
      continue;
    }
    const read = parseForIssues(fileFee, fee);
    if (!read.success) {
      for (const problem of problemsOf('fees', row, read.error, true))
        addProblem(problems, { ...problem, column: feeColumnOf(problem.column, headers) });
      continue;
    }
    let known = byName.get(service);
    if (!known) {
      known = { replacedName: service, fees: [] };
      byName.set(service, known as Required<Pick<FileService, 'fees'>> & FileService);
      services.push({ row, value: known });
    }
    known.fees?.push(read.data);
  }
}

/** Adds a problem of a cell, unless the cell could not be read in the first place. */
function addProblem(problems: FileProblem[], problem: FileProblem): void {
  const isKnown = problems.some(
    ({ list, row, column }) =>
      list === problem.list && row === problem.row && column === problem.column,
  );
  if (!isKnown) problems.push(problem);
}

function problemsOf(list: string, row: number, error: z.ZodError, isSheet: boolean): FileProblem[] {
  return error.issues.map((issue) => {
    const [field = '', language] = issue.path.map(String);
    const column =
      isSheet && language && /^[a-z]{2}-[A-Z]{2}$/.test(language)
        ? localizedHeader(field, language)
        : isSheet
          ? field
          : issue.path
              .map((part) => (typeof part === 'number' ? part + 1 : String(part)))
              .join('.');
    if (issue.code === 'unrecognized_keys')
      return {
        list,
        row,
        column: [column, issue.keys[0]].filter(Boolean).join('.'),
        code: 'unknownColumn',
      };
    return {
      list,
      row,
      column,
      ...(issue.code === 'custom' || issue.code === 'invalid_format'
        ? { code: 'pattern' }
        : list === 'agencies' && column === 'emirate'
          ? { code: 'unknownEmirate' }
          : codeOf(issue)),
    } as FileProblem;
  });
}

/** The fields of an entry in which an issue is. */
const wrongFields = (issue: z.core.$ZodIssue): string[] =>
  issue.path.length === 0 && issue.code === 'unrecognized_keys'
    ? issue.keys
    : [String(issue.path[0] ?? '')];

const keyOf = (list: keyof CatalogueFile, entry: unknown): string => {
  const { slug, replacedName, key } = entry as Record<string, string | undefined>;
  return list === 'synonyms' ? JSON.stringify(entry) : (slug ?? replacedName ?? key ?? '');
};

function checkEntries(lists: RawLists, isSheet: boolean, problems: FileProblem[]) {
  const file: Record<string, unknown[]> = {};
  const rows = {} as CheckedFile['rows'];
  for (const list of fileLists) {
    file[list] = [];
    rows[list] = [];
    const seen = new Set<string>();
    for (const { row, value } of lists.get(list) ?? []) {
      const bad = sanitizeFileText(value);
      if (bad) {
        problems.push({ list, row, column: bad, code: 'unreadableText' });
        continue;
      }
      const read = parseForIssues(fileEntries[list], value);
      if (!read.success) {
        for (const problem of problemsOf(list, row, read.error, isSheet))
          addProblem(problems, problem);
        // What the rest of the row names is looked for too: one fault does not hide another.
        const wrong = new Set(read.error.issues.flatMap(wrongFields));
        const rest = Object.entries(value ?? {}).filter(([field]) => !wrong.has(field));
        const partly = parseForIssues(fileEntries[list], Object.fromEntries(rest));
        if (!partly.success) continue;
        file[list].push(partly.data);
        rows[list].push(row);
        continue;
      }
      const key = keyOf(list, read.data);
      if (seen.has(key)) problems.push({ list, row, column: '', code: 'twice', params: { key } });
      seen.add(key);
      file[list].push(read.data);
      rows[list].push(row);
    }
  }
  return { file: file as unknown as CatalogueFile, rows };
}

function checkForms({ file, rows }: Pick<CheckedFile, 'file' | 'rows'>, problems: FileProblem[]) {
  for (const [index, { form, attachments }] of file.forms.entries())
    for (const problem of findFormProblems(
      form,
      attachments.map(({ name }) => name),
    ))
      problems.push({
        list: 'forms',
        row: rows.forms[index] ?? 0,
        column: 'form',
        code: 'form',
        params: { problem: String(problem) },
      });
  const forms = new Map(file.forms.map(({ key, form }) => [key, form]));
  for (const [index, { form: key, fees = [] }] of file.services.entries()) {
    if (key === undefined) continue;
    const place = { list: 'services', row: rows.services[index] ?? 0 };
    const form = forms.get(key);
    if (!form)
      problems.push({ ...place, column: 'form', code: 'unknownReference', params: { key } });
    for (const { message } of form ? listFeeProblems(form, fees) : [])
      problems.push({ ...place, column: 'fees', code: 'form', params: { problem: message } });
  }
}

type ReadFile = { lists: RawLists; problems: FileProblem[] };

const readers: Readonly<
  Record<CatalogueFormat, (content: Uint8Array) => ReadFile | Promise<ReadFile>>
> = {
  json: readJsonFile,
  csv: (content) => readCsvFile(content, maximumImportedServices),
  xlsx: async (content) =>
    (await import('./workbook.ts')).readWorkbook(content, maximumImportedServices),
};

/** Reads a whole catalogue file and checks everything that needs no database. */
export async function checkFile(
  content: Uint8Array,
  format: CatalogueFormat,
): Promise<CheckedFile> {
  const { lists, problems } = await readers[format](content);
  if (format !== 'json') joinFees(lists, problems);
  if ((lists.get('services')?.length ?? 0) > maximumImportedServices)
    problems.push({
      list: 'services',
      row: maximumImportedServices + 1,
      column: '',
      code: 'tooManyRows',
    });
  const checked = checkEntries(lists, format !== 'json', problems);
  checkForms(checked, problems);
  const isEmpty = Object.values(checked.file).every((list) => list.length === 0);
  if (isEmpty && problems.length === 0)
    problems.push({
      list: format === 'xlsx' ? '' : format.toUpperCase(),
      row: 1,
      column: '',
      code: 'empty',
    });
  return {
    ...checked,
    problems: problems.slice(0, maximumProblems),
    problemsCount: problems.length,
  };
}
