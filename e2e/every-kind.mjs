// A service with every kind of field, for the journeys only: no agency offers it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const everyKindName = 'every-kind-of-field';
const service = JSON.parse(readFileSync(new URL('every-kind.json', import.meta.url), 'utf8'));

/** The address of the embedded database of a data folder. */
export function addressOf(folder) {
  const password = readFileSync(join(folder, 'postgres.password'), 'utf8').trim();
  const port = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://diwan:${password}@127.0.0.1:${port}/diwan`;
}

/** Adds it as a copy of a free service, once; the product reloads its catalogue within seconds. */
export async function addEveryKind(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const {
      rows: [free],
    } = await client.query(
      "select id from services where replaced_name = 'register-labour-complaints-private-sector-employees'",
    );
    const changes = {
      replaced_name: everyKindName,
      name: service.name,
      form: service.form,
      attachments: service.attachments,
      eligibility: [],
      popular_rank: null,
    };
    const {
      rows: [added],
    } = await client.query(
      `insert into services overriding system value
       select (jsonb_populate_record(s, $2::jsonb || jsonb_build_object('id', nextval(pg_get_serial_sequence('services', 'id'))))).* from services s where id = $1
       on conflict (replaced_name) do nothing returning id`,
      [free.id, JSON.stringify(changes)],
    );
    if (added)
      await client.query(
        'insert into service_account_types select $2, account_type_id from service_account_types where service_id = $1',
        [free.id, added.id],
      );
  } finally {
    await client.end();
  }
}
