import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { demoPassword } from '#seed/seed.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { login, logout, refreshToken } from '@diwan/contract/people/users';
import type { QueryInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();

const begin = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const read = async (query: QueryInputOf<typeof getAuditEvents> = {}) =>
  (await app.callAs('admin', getAuditEvents, { query })).body;

describe('the audit log', () => {
  it('records sign-ins, failures, ended sessions with the reason, and changed roles', async () => {
    const token = await begin('employee2');
    await app.call(login, { body: { username: 'employee2', password: 'wrong' } });
    await app.call(logout, { token });
    await app.call(logout, { token });
    const stolen = await begin('employee2');
    await app.call(refreshToken, { body: { token: stolen } });
    await app.database
      .updateTable('sessions')
      .set({ rotated_at: new Date(Date.now() - 60_000) })
      .execute();
    await app.call(refreshToken, { body: { token: stolen } });
    await app.database
      .updateTable('users')
      .set({ roles: ['Employee', 'Admin'] })
      .where('username', '=', 'employee2')
      .execute();
    await app.database
      .updateTable('users')
      .set({ roles: ['Employee'] })
      .where('username', '=', 'employee2')
      .execute();
    const { items, totalCount } = await read({ Username: ' EMPLOYEE2 ', Take: 100 });
    expect(
      items.map(({ kind, reason, before, after }) => [
        kind,
        ...(reason ? [reason] : []),
        ...(after ? [before, after] : []),
      ]),
    ).toEqual([
      ['rolesChanged', ['Employee', 'Admin'], ['Employee']],
      ['rolesChanged', ['Employee'], ['Employee', 'Admin']],
      ['sessionEnded', 'tokenReused'],
      ['signedIn'],
      ['sessionEnded', 'signedOut'],
      ['signInFailed'],
      ['signedIn'],
    ]);
    expect(totalCount).toBe(7);
    expect(items.at(-1)).toMatchObject({
      username: 'employee2',
      fullName: 'Khalid Al Demo',
      address: '127.0.0.1',
    });
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).sort((a, b) => b - a));
  });

  it('cannot be changed, shortened or emptied', async () => {
    for (const statement of [
      sql`update audit_events set kind = 'signedIn'`,
      sql`delete from audit_events`,
      sql`truncate audit_events`,
    ])
      await expect(statement.execute(app.database)).rejects.toThrow(/append-only/);
  });

  it('is filtered by kind and by day in Dubai, in pages', async () => {
    await sql`
      insert into audit_events (at, kind)
      values
        ('2026-03-01T20:30:00Z', 'signInFailed'),
        ('2026-03-02T19:59:59Z', 'signInFailed'),
        ('2026-03-02T20:00:00Z', 'signInFailed')`.execute(app.database);
    expect((await read({ Day: '2026-03-02' })).items.map(({ at }) => at)).toEqual([
      '2026-03-02T19:59:59.000Z',
      '2026-03-01T20:30:00.000Z',
    ]);
    expect((await read({ Day: '2026-03-02', Kind: 'signedIn' })).totalCount).toBe(0);
    const [first, second] = [
      await read({ Take: 2, Kind: 'signInFailed' }),
      await read({ Take: 2, PageNumber: 2, Kind: 'signInFailed' }),
    ];
    expect([first.items.length, second.items.length, first.totalCount]).toEqual([2, 2, 4]);
    expect(second.items[0]?.id).not.toBe(first.items[1]?.id);
    expect((await read({ Username: 'nobody' })).totalCount).toBe(0);
  });

  it('is for admins, and refuses unknown kinds and invalid days', async () => {
    for (const username of ['employee', 'supervisor', 'company', 'individual'])
      expect((await app.callAs(username, getAuditEvents)).status).toBe(403);
    const token = await app.signIn('admin');
    for (const query of [
      { Kind: 'all' },
      { Day: '2026-02-30' },
      { Day: "2026-01-01'" },
      { PageNumber: 0 },
      { Take: 1000 },
    ])
      expect(
        (await app.call(getAuditEvents, { token, query: query as never })).status,
        JSON.stringify(query),
      ).toBe(400);
  });
});
