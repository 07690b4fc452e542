import { localize } from '#platform/core/localize.ts';
import type { AuditEvent } from '@diwan/contract/people/audit';
import type { Change, FieldChange, auditFormats } from '@diwan/contract/people/changes';
import { csvLine, csvStart, type CsvCell } from '@diwan/contract/wire/csv';
import type { Language } from '@diwan/contract/wire/languages';

type Entry = AuditEvent | Change;

const columns = ['id', 'at', 'log', 'name', 'thing', 'action', 'username', 'fullName', 'address'];
const columnsOfChange = ['field', 'language', 'before', 'after', 'reason', 'by'];

/** A field with the part of a service to which it belongs: "changed field: Contact / Telephone / title". */
function fieldName({ field, place }: FieldChange, language: Language): string {
  if (!place) return field;
  const path = [...place.path.map((title) => localize(title, language)), field];
  return `${place.kind} ${place.part}: ${path.filter((each) => each !== '').join(' / ')}`;
}

function toRow(entry: Entry, field: FieldChange | undefined, language: Language): CsvCell[] {
  const { id, at, username, fullName, address } = entry;
  if ('kind' in entry) {
    const { before, after, reason, by } = entry;
    const detail = ['', '', before?.join(' '), after?.join(' '), reason, by];
    return [id, at, 'event', '', '', entry.kind, username, fullName, address, ...detail];
  }
  const thing = `${entry.entity} ${entry.entityId}`;
  const detail = [
    field && fieldName(field, language),
    field?.language,
    field?.beforeNames?.join(', ') ?? field?.before,
    field?.afterNames?.join(', ') ?? field?.after,
    '',
    '',
  ];
  return [
    id,
    at,
    'change',
    entry.name,
    thing,
    entry.action,
    username,
    fullName,
    address,
    ...detail,
  ];
}

/** The lines of an entry: in CSV one for each field that changed. */
function toCsv(entry: Entry, language: Language): string {
  const fields = 'fields' in entry && entry.fields.length > 0 ? entry.fields : [undefined];
  return fields.map((field) => csvLine(toRow(entry, field, language))).join('');
}

const batchSize = 1000;

/**
 * A log as the text of a file, in parts. `read` returns the next entries after an id, oldest first.
 */
export async function* exportLog(
  { format, language }: { format: (typeof auditFormats)[number]; language: Language },
  read: (afterId: number, take: number) => Promise<Entry[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvStart + csvLine([...columns, ...columnsOfChange]);
  let afterId = 0;
  for (;;) {
    const entries = await read(afterId, batchSize);
    yield entries
      .map((entry) => (format === 'csv' ? toCsv(entry, language) : `${JSON.stringify(entry)}\n`))
      .join('');
    const last = entries.at(-1);
    if (!last || entries.length < batchSize) return;
    afterId = last.id;
  }
}
