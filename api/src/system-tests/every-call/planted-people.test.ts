import fs from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { onlyWhenAsked } from '#testing/test-app.ts';
import { people, type Parts } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { textsOf, withText } from '#testing/well-formed/texts-of-call.ts';
import { allCalls } from '@diwan/contract/all-calls';

vi.setConfig({ testTimeout: 180_000 });

// What the process writes, by its stream and by the file of its stream.
let log = '';
const keep = (chunk: unknown) => {
  log += String(chunk);
};
let stage: RoleStage;
beforeAll(async () => {
  const write = fs.writeSync;
  vi.spyOn(fs, 'writeSync').mockImplementation(((file: number, text: string, ...rest: never[]) => {
    if (file !== 1) return write(file, text, ...rest);
    keep(text);
    return Buffer.byteLength(text);
  }) as typeof fs.writeSync);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    keep(text);
    return true;
  });
  stage = await openRoleStage(onlyWhenAsked, undefined, { LOG_LEVEL: 'debug' });
});
afterAll(async () => {
  await stage.app.close();
  vi.restoreAllMocks();
});

/** A word that no text of the product has. */
const word = 'zarqaliyya9417';

it('writes nothing to the log that people have typed, in any call, nor what is known of them', async () => {
  for (const [row, { make, owner }] of Object.entries(stage.calls)) {
    const call = allCalls.find(({ name }) => name === row.split(' ')[0]);
    if (!call) throw new Error(`no call ${row}`);
    const person =
      owner ??
      people.find(
        (each) =>
          call.who === 'anyone' ||
          stage.person(each).roles.some((role) => (call.who as readonly string[]).includes(role)),
      ) ??
      'admin';
    const made = await make(person);
    await stage.send(call, person, made);
    // One planted text in a call that is right otherwise; and all of them, which most calls refuse.
    let all: Parts = made;
    for (const { path, text } of textsOf(made)) {
      const planted = Buffer.isBuffer(text)
        ? Buffer.concat([text, Buffer.from(word)])
        : `${text} ${word}`;
      all = withText(all, path, planted) as Parts;
      await stage.send(call, person, withText(made, path, planted) as Parts);
    }
    await stage.send(call, person, all);
    await stage.restore();
  }
  // Not calls: pages and addresses that nobody has.
  for (const url of [`/${word}`, `/services?serviceSerach=${word}`, `/api/${word}/x?y=${word}`])
    await stage.app.server.inject({ url, headers: { accept: 'text/html', 'user-agent': word } });

  const { rows } = await sql<{ value: string }>`
    select distinct value
    from users
    cross join lateral (
      values (full_name), (full_name_ar), (full_name_en), (email), (phone_number), (emirates_id)
    ) as known (value)
    where length(value) >= 6`.execute(stage.app.database);
  expect(rows.length).toBeGreaterThan(20);
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(allCalls.length * 2);
  for (const value of [word, ...rows.map((row) => row.value)])
    expect(lines.filter((line) => line.includes(value)).slice(0, 3), value).toEqual([]);
});
