// Users for the journeys only. Drafts belong to one user, so parallel journeys with the same
// service need separate users.
import { hash } from '@node-rs/argon2';
import pg from 'pg';

const likeIndividual = ['driver', 'typist'].map((username) => ({
  username,
  like: 'individual',
}));
// The user whose password a journey changes.
const people = [...likeIndividual, { username: 'locksmith', like: 'employee' }];

/**
 * Adds each as a copy of a demo user with the same password, and with a phone number and an e-mail
 * separate address. All get a hash with the least costs: journeys sign in hundreds of times.
 */
export async function addPeople(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // A generated column takes no value.
    const { rows } = await client.query(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns where table_schema = current_schema() and table_name = 'users' and is_generated = 'NEVER'`,
    );
    const { columns } = rows[0];
    for (const [index, { username, like }] of people.entries()) {
      const own = {
        username,
        full_name: `Journey ${username}`,
        full_name_ar: null,
        phone_number: `+97155111222${index}`,
        email: `${username}@example.com`,
        emirates_id: null,
        uaepass_id: null,
      };
      await client.query(
        `insert into users (${columns}) select ${columns} from (select (jsonb_populate_record(u, $1::jsonb || jsonb_build_object('id', gen_random_uuid()))).* from users u where username = $2) as person on conflict (username) do nothing`,
        [JSON.stringify(own), like],
      );
    }
    const costs = { memoryCost: 8, timeCost: 1, parallelism: 1 };
    await client.query('update users set password_hash = $1', [
      await hash('DiwanDemo2026!', costs),
    ]);
  } finally {
    await client.end();
  }
}
