import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { readConfig } from '../../api/src/config.ts';
import { openCalendars } from '../../api/src/features/calendars/calendars.actions.ts';
import type { ListQuery } from '../../api/src/features/requests/lists/list-filter.ts';
import { listRequests } from '../../api/src/features/requests/lists/list-requests.actions.ts';
import type { RequestsContext } from '../../api/src/features/requests/model/requests-context.ts';
import { openCatalogue } from '../../api/src/features/services/services.actions.ts';
import { openWorkflows } from '../../api/src/features/workflow/workflows.actions.ts';
import type { Caller } from '../../api/src/platform/auth/caller.ts';
import type { Tables } from '../../api/src/platform/database/schema.generated.ts';
import { sql } from '../../api/src/platform/database/sql.ts';
import { findPostgres } from '../../api/src/testing/programs/running-program.ts';
import type { Words } from './list-questions.ts';

type Statement = { sql: string; parameters: readonly unknown[] };

/**
 * Calls the server's list functions without HTTP, over the database of a running program, and reads
 * PostgreSQL's plans.
 */
export async function openListBench(dataDir: string) {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const password = readFileSync(`${dataDir}/postgres.password`, 'utf8');
  const pool = new pg.Pool({
    connectionString: `postgres://diwan:${password}@127.0.0.1:${findPostgres(dataDir)?.port}/diwan`,
    max: 5,
    types,
  });
  const asked: Statement[] = [];
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push({ sql: query.sql, parameters: query.parameters }),
  });
  const app = {
    database,
    catalogue: await openCatalogue(database),
    workflow: await openWorkflows(database, readConfig({ DATA_DIR: dataDir })),
    calendars: await openCalendars(database),
  } as unknown as RequestsContext;

  async function callerOf(username: string): Promise<Caller> {
    const row = await database
      .selectFrom('users')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    return {
      userId: row.id,
      fullName: row.full_name,
      roles: row.roles.length > 0 ? row.roles : ['Client'],
      companyId: row.company_id,
      partnerId: row.partner_id,
    } as unknown as Caller;
  }
  const callers = new Map<string, Caller>();
  async function list(username: string, query: Record<string, string>) {
    const caller = callers.get(username) ?? (await callerOf(username));
    callers.set(username, caller);
    const statusIds = (query.StatusIds ?? query.StatusId)?.split(',').map(Number);
    const listQuery: ListQuery = {
      page: {
        pageNumber: Number(query.PageNumber ?? 1),
        take: Number(query.Take ?? 10),
        order: query.sortOrder === 'asc' ? 'asc' : 'desc',
        by: query.SortBy === 'due' ? 'due' : 'sent',
      },
      statusIds,
      isMine: query.OnlyMine === 'true',
      serviceId: query.ServiceId ? Number(query.ServiceId) : undefined,
      due: query.Due === 'late' ? 'late' : undefined,
      keyword: query.SearchKeyword,
      fromDay: query.DateFrom,
      toDay: query.DateTo,
      ...(query.HasRefundableFees ? { hasRefundableFees: true } : {}),
    };
    return listRequests(app, caller, listQuery, 'ar-EG');
  }
  // The operation and the amount of work of a plan node, without costs and widths. The last step,
  // reading the rows by id, is the same in every list.
  const short = (line: string) =>
    line
      .replace(/\(cost=[^)]*\) ?/, '')
      .replace(
        /\(actual time=([\d.]+)\.\.([\d.]+) rows=([\d.]+) loops=(\d+)\)/,
        '($2 ms, $3 rows, $4 times)',
      )
      .replace(/'[^']{60,}'/g, "'…'")
      .slice(0, 150);
  function shorten(lines: readonly string[]): string[] {
    let isTold = false;
    const relevant = lines.filter((line) => {
      if (/->/.test(line))
        isTold =
          !/never executed|using requests_pkey/.test(line) &&
          / requests\b|Append|Bitmap|Gather/.test(line);
      return /->/.test(line)
        ? isTold
        : /Execution Time/.test(line) || (isTold && /Index Cond|Filter:|Rows Removed/.test(line));
    });
    const indent = Math.min(
      ...relevant.filter((line) => /->/.test(line)).map((line) => line.search(/\S/)),
    );
    return relevant.map((line) => short(line.slice(Math.min(indent, line.search(/\S/)))));
  }

  return {
    list,
    async about(): Promise<{ size: number; words: Words }> {
      const { size } = await database
        .selectFrom('requests')
        .select(sql<number>`count(*)::int`.as('size'))
        .executeTakeFirstOrThrow();
      const row = await database
        .selectFrom('requests')
        .select(['number', 'phone_number'])
        .where('came_to_provider', '=', true)
        .where('partner_id', 'is not', null)
        .orderBy('created_at')
        .offset(5000)
        .limit(1)
        .executeTakeFirstOrThrow();
      return { size, words: { number: row.number, phone: row.phone_number.replace('+971', '0') } };
    },
    /** The plans of the statements of a question, as Markdown. */
    async plansOf(username: string, query: Record<string, string>): Promise<string> {
      asked.length = 0;
      await list(username, query);
      const shown: string[] = [];
      for (const { sql: text, parameters } of asked.filter((each) =>
        each.sql.includes('from requests'),
      )) {
        const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
          `explain (analyze, costs off, timing on, summary on) ${text}`,
          [...parameters],
        );
        shown.push(shorten(rows.map((row) => row['QUERY PLAN'])).join('\n'));
      }
      return shown.length === 0
        ? 'No request is read.'
        : ['```', shown.join('\n\n'), '```'].join('\n');
    },
    close: () => database.destroy(),
  };
}
