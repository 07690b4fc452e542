import type { Database, Transaction } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { sql } from '#platform/database/sql.ts';
import type { SettlementFile } from '@diwan/contract/payments/settlement-files';
import type { Language } from '@diwan/contract/wire/languages';
import type { SettlementFile as FileOfDay } from './settlements.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'settlement_withdrawals.state': 'waiting' | 'done' | 'refused';
  }
}

/** A file as it is read, with who asked to withdraw it. */
export type FileShown = Omit<SettlementFile, 'isOwn'> & { askedById: string | null };

const columns = (language: Language) => sql`
  file.id, file.provider, file.day, lines,
  (select count(entry_id) from settlement_lines where file_id = file.id)::int as matched,
  (select count(*) from settlement_differences where file_id = file.id)::int as differences,
  to_char(imported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "importedAt",
  ${personName('importer', language)} as "importedBy",
  case state when 'waiting' then 'waiting' when 'done' then 'withdrawn' else 'imported' end as state,
  file.day <= coalesce((select max(day) from ledger_days), '-infinity') as "isClosed",
  reason, ${personName('asker', language)} as "askedBy",
  ${personName('decider', language)} as "decidedBy", asked_by as "askedById"`;

const tables = sql`
  settlement_files as file
  left join settlement_withdrawals as withdrawal
    on withdrawal.file_id = file.id
      and state <> 'refused'
  left join users as importer
    on importer.id = imported_by
  left join users as asker
    on asker.id = asked_by
  left join users as decider
    on decider.id = decided_by`;

/** The newest first. */
export function selectFiles(
  database: Database,
  language: Language,
  page: { PageNumber: number; Take: number },
): Promise<{ items: FileShown[]; totalCount: number }> {
  return selectCountedPage<FileShown>(
    database,
    {
      columns: columns(language),
      from: tables,
      order: sql`imported_at desc`,
      ties: sql`file.id desc`,
    },
    page,
  );
}

export async function findFile(
  database: Database,
  language: Language,
  id: number,
): Promise<FileShown | undefined> {
  const { rows } = await sql<FileShown>`
    select ${columns(language)}
    from ${tables}
    where file.id = ${id}`.execute(database);
  return rows[0];
}

/** A file and whether it is withdrawn. */
export type FileRow = FileOfDay & { id: number; isWithdrawn: boolean };

export async function findFileRow(
  transaction: Transaction,
  id: number,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select id, provider, day, withdrawn_at is not null as "isWithdrawn"
    from settlement_files
    where id = ${id}`.execute(transaction);
  return rows[0];
}

// The differences of a file, and those of others that its lines resolved.
const differencesOf = (fileId: number) => sql`
  withdrawn_at is null
    and (
      file_id = ${fileId}
      or (
        decision = 'found'
        and entry_id in (select entry_id from settlement_lines where file_id = ${fileId})
      )
    )`;

/** Locks what a withdrawal changes, before any lock of the ledger, as decisions do. */
export async function lockDifferences(transaction: Transaction, fileId: number): Promise<void> {
  await sql`
    select id
    from settlement_differences
    where ${differencesOf(fileId)}
    order by id
    for update`.execute(transaction);
}

/** What a file did: the names of its entries, the first of its days, and whether it matched money. */
export async function selectTraces(
  transaction: Transaction,
  fileId: number,
): Promise<{ sources: string[]; firstDay: string; hasMatched: boolean }> {
  const { rows } = await sql<{ sources: string[]; firstDay: string; hasMatched: boolean }>`
    with sources as (
      select 'settled:' || id as source
      from settlement_lines
      where file_id = ${fileId}
      union all
      select 'correction:' || id || ending
      from settlement_differences
      cross join (values (''), (':ours')) as form (ending)
      where file_id = ${fileId}
    ), booked as (
      select ledger_entries.source, day
      from ledger_entries
      join sources using (source)
    )
    select coalesce((select array_agg(source) from booked), '{}') as sources,
      (
        select min(day)
        from (
          select day from settlement_files where id = ${fileId}
          union all
          select day from booked
          union all
          select ledger_entries.day
          from settlement_lines
          join ledger_entries
            on ledger_entries.id = entry_id
          where file_id = ${fileId}
        ) as days
      ) as "firstDay",
      exists(select from settlement_lines where file_id = ${fileId} and entry_id is not null)
        or exists(select from booked) as "hasMatched"`.execute(transaction);
  const [traces] = rows;
  if (!traces) throw new Error(`The traces of settlement file ${fileId} were not read`);
  return traces;
}

/** Stores that a file is withdrawn, or asked for; false where that is so already. */
export async function insertWithdrawal(
  transaction: Transaction,
  row: { fileId: number; reason: string; state: 'waiting' | 'done'; askedBy: string },
): Promise<boolean> {
  const inserted = await transaction
    .insertInto('settlement_withdrawals')
    .values({
      file_id: row.fileId,
      reason: row.reason,
      state: row.state,
      asked_by: row.askedBy,
      ...(row.state === 'done' ? { decided_at: sql<Date>`now()` } : {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The withdrawal of a file that waits, locked. */
export function lockWaiting(
  transaction: Transaction,
  fileId: number,
): Promise<{ id: number; reason: string; asked_by: string } | undefined> {
  return transaction
    .selectFrom('settlement_withdrawals')
    .select(['id', 'reason', 'asked_by'])
    .where('file_id', '=', fileId)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst();
}

export async function decideWithdrawal(
  transaction: Transaction,
  id: number,
  row: { state: 'done' | 'refused'; decidedBy: string },
): Promise<void> {
  await transaction
    .updateTable('settlement_withdrawals')
    .set({ state: row.state, decided_by: row.decidedBy, decided_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/**
 * Marks a file, its lines and its differences as withdrawn, and opens the differences of other files
 * that its lines had resolved. Returns the files whose days have money again that nothing settles.
 */
export async function withdrawRows(
  transaction: Transaction,
  { id, provider }: FileRow,
): Promise<(FileOfDay & { id: number })[]> {
  await sql`
    update settlement_differences
    set state = 'open', decision = null, decided_at = null, version = version + 1
    where ${differencesOf(id)}
      and file_id <> ${id}`.execute(transaction);
  await sql`
    update settlement_differences
    set withdrawn_at = now(), version = version + 1, state = 'resolved',
      decision = case when state = 'resolved' then decision else 'withdrawn' end,
      decided_at = coalesce(decided_at, now())
    where ${differencesOf(id)}`.execute(transaction);
  await sql`
    update settlement_lines
    set withdrawn_at = now()
    where file_id = ${id}`.execute(transaction);
  await sql`
    update settlement_files
    set withdrawn_at = now()
    where id = ${id}`.execute(transaction);
  const { rows } = await sql<FileOfDay & { id: number }>`
    select id, provider, day
    from settlement_files
    where provider = ${provider}
      and withdrawn_at is null
      and day in (
        select unnest(array[day_in_dubai(entry.occurred_at), entry.day])
        from settlement_lines
        join ledger_entries as entry
          on entry.id = entry_id
        where file_id = ${id}
      )
    order by id`.execute(transaction);
  return rows;
}
