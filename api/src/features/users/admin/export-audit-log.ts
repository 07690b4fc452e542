import { createTranslator, findTranslation } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import type { FieldChange } from '@diwan/contract/people/changes';
import type { auditFormats, LogEntry } from '@diwan/contract/portal/audit-log';
import { csvLine, csvStart, type CsvCell } from '@diwan/contract/wire/csv';
import type { Language } from '@diwan/contract/wire/languages';
import type { LogKey } from './audit-log.store.ts';

const columns = [
  'id',
  'at',
  'kind',
  'thing',
  'name',
  'action',
  'username',
  'fullName',
  'address',
  'field',
  'language',
  'before',
  'after',
  'reason',
  'by',
] as const;

const logText = createTranslator('dashboards');
const requestText = createTranslator('requests');
const designerText = createTranslator('designer');
// Entries of an earlier release may have codes without a text: the code is the word then.
const changeWord = (key: string, language: Language) =>
  findTranslation('changes', key, language) ?? key.slice(key.indexOf('.') + 1);

/** A field with the part of a service to which it belongs: "Field changed: Contact / Telephone / Title". */
function fieldName({ field, place }: FieldChange, language: Language): string {
  if (!place) return changeWord(`fields.${field}`, language);
  const part = designerText(`differences.parts.${place.part}`, language);
  const changed = designerText(`differences.${place.kind}`, language, { part });
  const property = findTranslation('designer', `differences.properties.${field}`, language);
  const path = [...place.path.map((title) => localize(title, language)), property ?? field];
  return `${changed}: ${path.filter((each) => each !== '').join(' / ')}`;
}

/** What an entry is about and what was done: the columns thing, name and action. */
function subjectOf({ change, event, act, read }: LogEntry, language: Language): CsvCell[] {
  const request = logText('log.things.request', language);
  if (change)
    return [
      `${changeWord(`entities.${change.entity}`, language)} ${change.entityId}`,
      change.name,
      changeWord(`actions.${change.action}`, language),
    ];
  if (act)
    return [`${request} ${act.requestNumber}`, '', requestText(`story.${act.action}`, language)];
  if (read)
    return [
      `${request} ${read.requestNumber}`,
      read.documentName,
      logText(`log.${read.documentName === undefined ? 'readRequest' : 'readDocument'}`, language),
    ];
  const list = event?.call && findTranslation('dashboards', `log.exports.${event.call}`, language);
  return [list ?? event?.call, '', event && logText(`audit.kinds.${event.kind}`, language)];
}

/** What an entry changed, or why and by whom; values are as they are stored. */
function detailOf(
  { event }: LogEntry,
  field: FieldChange | undefined,
  language: Language,
): CsvCell[] {
  if (event) {
    const { before, after, reason, by, filter } = event;
    const filtered = filter && JSON.stringify(filter);
    const why = reason && findTranslation('dashboards', `audit.reasons.${reason}`, language);
    return [filtered, '', before?.join(' '), after?.join(' '), why ?? reason, by];
  }
  if (!field) return ['', '', '', '', '', ''];
  const before = field.beforeNames?.join(', ') ?? field.before;
  const after = field.afterNames?.join(', ') ?? field.after;
  return [fieldName(field, language), field.language, before, after, '', ''];
}

/** The lines of an entry: in CSV one for each field that changed. */
function toCsv(entry: LogEntry, language: Language): string {
  const { key, at, source, username, fullName, address } = entry;
  const kind = logText(`log.sources.${source}`, language);
  const start = [key, at, kind, ...subjectOf(entry, language), username, fullName, address];
  const fields = entry.change && entry.change.fields.length > 0 ? entry.change.fields : [undefined];
  return fields.map((field) => csvLine([...start, ...detailOf(entry, field, language)])).join('');
}

const batchSize = 1000;

/**
 * The log as the text of a file, in parts; CSV is in words of the language, JSON has the codes.
 * `read` returns the entries that follow one, and the last of them.
 */
export async function* exportLog(
  { format, language }: { format: (typeof auditFormats)[number]; language: Language },
  read: (
    after: LogKey | undefined,
    take: number,
  ) => Promise<{ entries: LogEntry[]; last: LogKey | undefined }>,
): AsyncGenerator<string> {
  if (format === 'csv')
    yield csvStart + csvLine(columns.map((name) => logText(`log.columns.${name}`, language)));
  let after: LogKey | undefined;
  do {
    const { entries, last } = await read(after, batchSize);
    yield entries
      .map((entry) => (format === 'csv' ? toCsv(entry, language) : `${JSON.stringify(entry)}\n`))
      .join('');
    after = last;
  } while (after);
}
