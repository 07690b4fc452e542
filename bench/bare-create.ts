// A bare server for `create-requests.bench.ts`: each call writes the rows of a new request, like
// those of the request REQUEST_ID, in one statement. It checks nothing.
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const id = Number(process.env.REQUEST_ID);

const columnsOf = async (table: string, own: readonly string[]): Promise<string> =>
  (
    await pool.query<{ name: string }>(
      `select quote_ident(column_name) as name
      from information_schema.columns
      where table_schema = 'public' and table_name = $1 and column_name <> all($2)`,
      [table, own],
    )
  ).rows
    .map(({ name }) => name)
    .join(', ');

const request = await columnsOf('requests', ['id', 'number']);
const history = await columnsOf('request_history', ['id', 'request_id']);
const text = `
  with written as (
    insert into requests (number, ${request})
    select $1, ${request}
    from requests
    where id = $2
    returning id, status_id, partner_id
  ), entry as (
    insert into request_history (request_id, ${history})
    select (select id from written), ${history}
    from request_history
    where request_id = $2
    order by id
    limit 1
  ), counted as (
    insert into request_counts (status_id, partner_id, slot, count)
    select status_id, coalesce(partner_id, 0), pg_backend_pid() % 16, 1
    from written
    on conflict (status_id, partner_id, slot) do update
    set count = request_counts.count + 1
  ), announced as (
    insert into hub_news (hub, event, audiences)
    values ('/bare', 'requestCreated', '{staff}')
  )
  select id
  from written`;

let sent = 0;
createServer((call, reply) => {
  const chunks: Buffer[] = [];
  call.on('data', (chunk: Buffer) => chunks.push(chunk));
  call.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    sent += 1;
    const number = `B${process.pid}-${sent}`;
    pool.query<{ id: string }>({ name: 'create', text, values: [number, id] }).then(
      ({ rows }) => {
        reply.setHeader('content-type', 'application/json; charset=utf-8');
        reply.end(JSON.stringify({ requestId: Number(rows[0]?.id), requestNumber: number }));
      },
      (error: Error) => {
        reply.statusCode = 500;
        reply.end(error.message);
      },
    );
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
process.once('disconnect', () => process.exit());
