import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { demoPassword } from '#seed/seed.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { getChanges } from '@diwan/contract/people/changes';
import * as contract from '@diwan/contract/people/companies';
import { login } from '@diwan/contract/people/users';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { findAnything, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';

const app = useTestApp();

const signIn = async (username: string, password = demoPassword) =>
  (await app.call(login, { body: { username, password } })).body.token;
const idOf = (username: string) => app.idOf(username);
const list = async (username: string) =>
  (await app.callAs(username, contract.getCompanyUsers)).body;
const invite = async (username: string, email: string, language?: 'ar-EG') =>
  app.callAs(username, contract.inviteCompanyUser, {
    body: { email, ...(language ? { language } : {}) },
  });

async function lastMail(to: string) {
  const { body, subject } = await app.database
    .selectFrom('sandbox.messages')
    .select(['body', 'subject'])
    .where('recipient', '=', to)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { body, subject, token: /\/companies\/join#([\w-]+)/.exec(body)?.[1] ?? '' };
}

async function invitedToken(email: string, by = 'company'): Promise<string> {
  expect((await invite(by, email)).status).toBe(200);
  return (await lastMail(email)).token;
}

const accept = async (username: string, token: string) =>
  app.call(contract.acceptCompanyInvitation, { token: await signIn(username), body: { token } });
const newPerson = (token: string, username: string) => ({
  token,
  username,
  fullName: 'New Person',
  phoneNumber: '050 123 4567',
  password: 'Blue-lanterns-9!',
  confirmPassword: 'Blue-lanterns-9!',
});

// Restores the users of the seed.
beforeEach(async () => {
  await sql`
    update users
    set company_id = null, roles = '{}', is_company_manager = false
    where username in ('individual', 'individual2')`.execute(app.database);
  await sql`
    update company_invitations
    set cancelled_at = now()
    where accepted_at is null and cancelled_at is null`.execute(app.database);
  await sql`update users set is_company_manager = true where username in ('company', 'company2')`.execute(
    app.database,
  );
});

describe('an invitation', () => {
  it('is a mail with a link that works once, for the invited address', async () => {
    const token = await invitedToken('Individual@Example.com'.toLowerCase());
    const mail = await lastMail('individual@example.com');
    expect(mail.subject).toContain('Demo Palm Trading LLC');
    expect(mail.body).toContain('Yousef Al Demo');
    const stored = await app.database
      .selectFrom('company_invitations')
      .selectAll()
      .where('email', '=', 'individual@example.com')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(Math.round((stored.expires_at.getTime() - Date.now()) / 86_400_000)).toBe(7);

    const read = await app.call(contract.readCompanyInvitation, { body: { token } });
    expect(read.body).toMatchObject({
      companyName: 'Demo Palm Trading LLC',
      invitedBy: 'Yousef Al Demo',
      email: 'individual@example.com',
    });
    expect((await accept('individual2', token)).refused.error).toBe('InvitationForAnotherAddress');
    expect((await accept('individual', token)).body).toEqual({
      companyName: 'Demo Palm Trading LLC',
    });
    expect((await accept('individual', token)).refused.error).toBe('InvitationNotValid');
    expect(
      (await app.call(contract.readCompanyInvitation, { body: { token } })).refused.error,
    ).toBe('InvitationNotValid');
    const users = (await list('company')).users.map(({ email, isManager }) => [email, isManager]);
    expect(users).toEqual([
      ['company@example.com', true],
      ['individual@example.com', false],
    ]);
  });

  it('is accepted by one of two parallel calls', async () => {
    const token = await invitedToken('nobody-yet@example.com');
    const answers = await Promise.all(
      ['first.one', 'second.one'].map((username) =>
        app.call(contract.joinCompany, { body: newPerson(token, username) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(
      await app.database
        .selectFrom('users')
        .select('username')
        .where('email', '=', 'nobody-yet@example.com')
        .execute(),
    ).toHaveLength(1);
  });

  it('is invalid when it was cancelled, has expired or was sent again, or when its token is unknown', async () => {
    const cancelled = await invitedToken('individual@example.com');
    const { invitations } = await list('company');
    expect(invitations).toMatchObject([
      { email: 'individual@example.com', isSent: true, isExpired: false },
    ]);
    const resent = await app.callAs('company', contract.resendCompanyInvitation, {
      body: { invitationId: invitations[0]!.invitationId },
    });
    expect(resent.status).toBe(200);
    expect((await accept('individual', cancelled)).refused.error).toBe('InvitationNotValid');
    const { token: newer } = await lastMail('individual@example.com');
    expect(
      (
        await app.callAs('company', contract.cancelCompanyInvitation, {
          body: { invitationId: resent.body.invitations[0]!.invitationId },
        })
      ).body.invitations,
    ).toEqual([]);
    expect((await accept('individual', newer)).refused.error).toBe('InvitationNotValid');
    const old = await invitedToken('individual@example.com');
    await sql`
      update company_invitations
      set expires_at = now() - interval '1 second'
      where accepted_at is null and cancelled_at is null`.execute(app.database);
    expect((await list('company')).invitations).toMatchObject([{ isExpired: true }]);
    for (const token of [old, `${old}x`, 'made-up', '%', "' or true --"])
      expect((await accept('individual', token)).refused.error, token).toBe('InvitationNotValid');
  });

  it('refuses users of the company, users of other organisations and invalid addresses', async () => {
    expect((await invite('company', 'COMPANY@example.com')).refused.error).toBe('AlreadyInCompany');
    for (const email of [
      '',
      ' ',
      'x',
      'a@b',
      'a@b.c\n',
      'x@example.com,y@example.com',
      'x@example.com\r\nBcc: y@example.com',
    ])
      expect((await invite('company', email)).status, email).toBe(400);
    for (const [username, email] of [
      ['employee', 'employee@example.com'],
      ['supervisor', 'supervisor@example.com'],
      ['company2', 'company2@example.com'],
    ] as const) {
      expect((await accept(username, await invitedToken(email))).refused.error, username).toBe(
        'AccountCannotJoinCompany',
      );
    }
  });

  it('is written in the language that the manager chose', async () => {
    expect((await invite('company', 'arabic@example.com', 'ar-EG')).status).toBe(200);
    expect((await lastMail('arabic@example.com')).subject).toContain('شركة نخلة العرض');
  });

  it('is stored when it cannot be sent, and can be sent later', async () => {
    const quiet = await openTestApp();
    await quiet.stopSandbox();
    const token = (
      await quiet.call(login, { body: { username: 'company', password: demoPassword } })
    ).body.token;
    expect(
      (
        await quiet.call(contract.inviteCompanyUser, {
          token,
          body: { email: 'later@example.com' },
        })
      ).refused.error,
    ).toBe('MailUnreachable');
    expect((await quiet.call(contract.getCompanyUsers, { token })).body.invitations).toMatchObject([
      { email: 'later@example.com', isSent: false },
    ]);
    await quiet.close();
  });

  it('is limited to fifty a day', async () => {
    const many = await openTestApp();
    const company = await many.database
      .selectFrom('users')
      .select(['id', 'company_id'])
      .where('username', '=', 'company')
      .executeTakeFirstOrThrow();
    await sql`
      insert into company_invitations
        (company_id, email, token_hash, language, invited_by, expires_at)
      select ${company.company_id}, n || '@example.com', 'hash' || n, 'en-US', ${company.id}, now()
      from generate_series(1, 50) n`.execute(many.database);
    expect(
      (
        await many.callAs('company', contract.inviteCompanyUser, {
          body: { email: 'one-more@example.com' },
        })
      ).refused.error,
    ).toBe('TooManyRequests');
    await many.close();
  });
});

describe('joining with a new account', () => {
  it('creates the account, signs it in as a user of the company and verifies the address', async () => {
    const token = await invitedToken('fresh@example.com');
    const { body, status } = await app.call(contract.joinCompany, {
      body: newPerson(token, 'Fresh.Person'),
    });
    expect(status).toBe(200);
    const users = (await app.call(contract.getCompanyUsers, { token: body.token })).body;
    expect(users).toMatchObject({ isManager: false, invitations: [] });
    expect(users.users.find(({ isMe }) => isMe)).toMatchObject({
      email: 'fresh@example.com',
      phoneNumber: '+971501234567',
    });
    expect(await signIn('fresh.person', 'Blue-lanterns-9!')).toMatch(/^ey/);
  });

  it('reports invalid values by field and leaves the invitation open', async () => {
    const token = await invitedToken('picky@example.com');
    const wrong = await app.call(contract.joinCompany, {
      body: {
        token,
        username: 'a b',
        fullName: ' ',
        phoneNumber: '123',
        password: 'short',
        confirmPassword: 'other',
      },
    });
    expect(Object.keys(wrong.refused.errors ?? {}).toSorted()).toEqual([
      'confirmPassword',
      'fullName',
      'password',
      'phoneNumber',
      'username',
    ]);
    expect(
      (await app.call(contract.joinCompany, { body: newPerson(token, 'admin') })).refused.error,
    ).toBe('UsernameTaken');
    expect(
      (await app.call(contract.joinCompany, { body: newPerson('made-up', 'x'.repeat(10)) })).refused
        .error,
    ).toBe('InvitationNotValid');
    expect((await app.call(contract.joinCompany, { body: newPerson(token, 'picky') })).status).toBe(
      200,
    );
  });
});

describe('managers', () => {
  const act = async <
    C extends
      | typeof contract.removeCompanyUser
      | typeof contract.setCompanyManager
      | typeof contract.inviteCompanyUser
      | typeof contract.cancelCompanyInvitation
      | typeof contract.resendCompanyInvitation,
  >(
    call: C,
    username: string,
    body: object,
  ) =>
    app.call(call as never, { token: await app.signIn(username), body } as never) as Promise<{
      status: number;
      refused: { error?: string };
    }>;

  it('alone can change users, in their own company only', async () => {
    await accept('individual', await invitedToken('individual@example.com'));
    await invitedToken('open@example.com');
    const { invitationId } = (await list('company')).invitations[0]!;
    const [member, other] = [await idOf('individual'), await idOf('company2')];
    const plain = await signIn('individual');
    expect((await app.call(contract.getCompanyUsers, { token: plain })).body).toMatchObject({
      isManager: false,
      invitations: [],
      users: expect.arrayContaining([expect.objectContaining({ isMe: true, isManager: false })]),
    });
    for (const [call, body] of [
      [contract.inviteCompanyUser, { email: 'x@example.com' }],
      [contract.removeCompanyUser, { userId: await idOf('company') }],
      [contract.setCompanyManager, { userId: member, isManager: true }],
      [contract.cancelCompanyInvitation, { invitationId }],
      [contract.resendCompanyInvitation, { invitationId }],
    ] as const) {
      expect(
        (await app.call(call as never, { token: plain, body } as never)).refused,
        call.name,
      ).toMatchObject({ error: 'YouAreUnauthorized' });
    }
    // The manager of another company can neither view nor change anything.
    for (const [call, body] of [
      [contract.removeCompanyUser, { userId: member }],
      [contract.setCompanyManager, { userId: member, isManager: true }],
      [contract.cancelCompanyInvitation, { invitationId }],
      [contract.resendCompanyInvitation, { invitationId }],
    ] as const) {
      expect((await act(call, 'company2', body)).refused.error, call.name).toBe('NotFound');
    }
    expect(
      (await act(contract.removeCompanyUser, 'company', { userId: other })).refused.error,
    ).toBe('NotFound');
    expect(JSON.stringify(await list('company2'))).not.toContain('individual@example.com');
  });

  it('can hand over, and one always remains when several leave in parallel', async () => {
    await accept('individual', await invitedToken('individual@example.com'));
    const [me, member] = [await idOf('company'), await idOf('individual')];
    expect(
      (await act(contract.setCompanyManager, 'company', { userId: me, isManager: false })).refused
        .error,
    ).toBe('CompanyNeedsManager');
    expect((await act(contract.removeCompanyUser, 'company', { userId: me })).refused.error).toBe(
      'CompanyNeedsManager',
    );
    expect(
      (await act(contract.setCompanyManager, 'company', { userId: member, isManager: true }))
        .status,
    ).toBe(200);
    const tokens = [await app.signIn('company'), await signIn('individual')];
    const both = await Promise.all(
      [
        [tokens[0], me],
        [tokens[1], member],
      ].map(([token, userId]) =>
        app.call(contract.setCompanyManager, {
          token: token!,
          body: { userId: userId!, isManager: false },
        }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const managers = await app.database
      .selectFrom('users')
      .select('id')
      .where('is_company_manager', '=', true)
      .where('id', 'in', [me, member])
      .execute();
    expect(managers).toHaveLength(1);
  });

  it('lose the invitations that they have sent when they leave', async () => {
    await accept('individual', await invitedToken('individual@example.com'));
    const member = await idOf('individual');
    await act(contract.setCompanyManager, 'company', { userId: member, isManager: true });
    const leaving = await signIn('individual');
    expect(
      (
        await app.call(contract.inviteCompanyUser, {
          token: leaving,
          body: { email: 'individual2@example.com' },
        })
      ).status,
    ).toBe(200);
    const theirs = (await lastMail('individual2@example.com')).token;
    const ours = await invitedToken('ours@example.com');
    expect((await act(contract.removeCompanyUser, 'company', { userId: member })).status).toBe(200);
    expect((await accept('individual2', theirs)).refused.error).toBe('InvitationNotValid');
    expect((await app.call(contract.readCompanyInvitation, { body: { token: ours } })).status).toBe(
      200,
    );
  });

  it('remove a user with immediate effect; the user’s requests stay with the company', async () => {
    await accept('individual', await invitedToken('individual@example.com'));
    const token = await signIn('individual');
    const stage = openRequestStage(app);
    const sent = await stage.send('individual', paidService);
    const seen = await app.call(getRequestById, { token, query: { RequestId: sent.requestId } });
    const filePath = seen.body.attachments[0]?.filePath ?? '';
    expect((await app.call(downloadFile, { token, query: { filePath } })).status).toBe(200);
    expect(
      (await act(contract.removeCompanyUser, 'company', { userId: await idOf('individual') }))
        .status,
    ).toBe(200);
    expect((await app.call(contract.getCompanyUsers, { token })).refused.error).toBe(
      'YouAreUnauthorized',
    );
    expect(
      (await app.call(getRequestById, { token, query: { RequestId: sent.requestId } })).refused
        .error,
    ).toBe('RequestNotFound');
    // The reference stays valid for minutes, but the caller may no longer view the document.
    expect((await app.call(downloadFile, { token, query: { filePath } })).refused.error).toBe(
      'AttachmentNotFound',
    );
    const left = (await app.call(getRequestsByStatusId, { token, query: { Take: 100 } })).body
      .items;
    expect(left.map(({ requestId }) => requestId)).not.toContain(sent.requestId);
    expect((await stage.read('company', sent.requestId)).status).toBe(200);
    const trace = await app.database
      .selectFrom('audit_events')
      .select('detail')
      .where('kind', '=', 'rolesChanged')
      .where('user_id', '=', await idOf('individual'))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(trace.detail).toEqual({ before: ['CompanyUser'], after: [] });
  });
});

describe('a company for admins', () => {
  const names = { 'ar-EG': 'شركة النخيل', 'en-US': 'Palm Group', 'ur-PK': 'پام گروپ' };
  const companyOf = async (username: string) =>
    (
      await app.database
        .selectFrom('users')
        .select('company_id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
    ).company_id!;
  const read = async (CompanyId: number) =>
    (await app.callAs('admin', contract.getCompanyById, { query: { CompanyId } })).body;
  const suspend = async (companyId: number, version?: number) =>
    app.callAs('admin', contract.suspendCompany, {
      body: {
        companyId,
        version: version ?? (await read(companyId)).version,
        reason: 'Licence expired',
      },
    });

  it('has its users, licence and requests, and is found by state, licence and order', async () => {
    const id = await companyOf('company');
    const record = await read(id);
    expect(record.users.find(({ isManager }) => isManager)?.email).toBe('company@example.com');
    const open = await app.callAs('admin', getRequestsByStatusId, {
      query: { CompanyId: id, Figure: 'open' },
    });
    expect(open.body.totalCount).toBe(record.openRequestsCount);
    expect(record.requestsCount).toBeGreaterThanOrEqual(record.openRequestsCount);
    // Companies do not read the requests of others by the filter of staff.
    const other = await app.callAs('company2', getRequestsByStatusId, { query: { CompanyId: id } });
    expect(other.body.totalCount).toBe(0);
    const find = async (query: object) =>
      (
        await app.callAs('admin', contract.getAllCompanies, { query, language: 'en-US' })
      ).body.items.map(({ name }) => name);
    const all = await find({});
    expect(await find({ Order: 'nameDescending' })).toEqual(all.toReversed());
    expect(await find({ State: 'suspended' })).toEqual([]);
    expect(
      (await app.callAs('admin', contract.getCompanyById, { query: { CompanyId: 9999 } })).refused
        .error,
    ).toBe('NotFound');
  });

  it('changes its names and licence once for a version; a licence belongs to one company', async () => {
    const [id, other] = [await companyOf('company'), await companyOf('company2')];
    const { version } = await read(id);
    const save = async (companyId: number, seen: number, licenceNumber: string) =>
      app.callAs('admin', contract.updateCompany, {
        body: { companyId, version: seen, name: names, licenceNumber },
        language: 'en-US',
      });
    const saved = await save(id, version, 'cn-778');
    expect(saved.body).toMatchObject({ name: 'Palm Group', licenceNumber: 'CN-778' });
    expect((await save(id, version, 'CN-779')).refused.error).toBe('RecordHasChanged');
    expect((await save(other, (await read(other)).version, 'CN-778')).refused.error).toBe(
      'LicenceNumberInUse',
    );
    const { items } = (
      await app.callAs('admin', getChanges, {
        query: { Entity: 'company', EntityId: String(id) },
      })
    ).body;
    expect(items[0]?.fields).toContainEqual(
      expect.objectContaining({ field: 'licenceNumber', after: 'CN-778' }),
    );
    expect(
      (await app.callAs('admin', contract.getAllCompanies, { query: { SearchKeyword: 'cn-778' } }))
        .body.totalCount,
    ).toBe(1);
  });

  it.each(['palmtrees', 'Palm Trees', 'عبدالله', 'عبد الله', 'عبداللهوشركاه'])(
    'is found by %s, with and without the spaces of its name',
    async (SearchKeyword) => {
      const id = await companyOf('company');
      const { version } = await read(id);
      const saved = await app.callAs('admin', contract.updateCompany, {
        body: {
          companyId: id,
          version,
          name: { 'ar-EG': 'عبد الله وشركاه', 'en-US': 'Palm Trees', 'ur-PK': 'عبد اللہ و شرکاء' },
          licenceNumber: 'CN-780',
        },
      });
      expect(saved.status).toBe(200);
      for (const found of [
        (await app.callAs('admin', contract.getAllCompanies, { query: { SearchKeyword } })).body
          .items,
        (await app.callAs('admin', findAnything, { query: { Text: SearchKeyword } })).body
          .companies,
      ])
        expect(found).toHaveLength(1);
    },
  );

  it('is suspended: its users are signed out immediately, and nobody signs in or joins', async () => {
    const id = await companyOf('company2');
    const token = await signIn('company2');
    const invitation = await invitedToken('late@example.com', 'company2');
    const base = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const { version } = await read(id);
    const both = await Promise.all([suspend(id, version), suspend(id, version)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await read(id)).suspensionReason).toBe('Licence expired');
    expect((await app.call(contract.getCompanyUsers, { token })).status).toBe(401);
    expect(
      (
        await fetch(`${base}/hubs/request/negotiate`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        })
      ).status,
    ).toBe(401);
    const again = { body: { username: 'company2', password: demoPassword } };
    expect((await app.call(login, again)).refused.error).toBe('CompanySuspended');
    expect(
      (await app.call(contract.readCompanyInvitation, { body: { token: invitation } })).refused
        .error,
    ).toBe('InvitationNotValid');
    const restored = await app.callAs('admin', contract.restoreCompany, {
      body: { companyId: id, version: (await read(id)).version },
    });
    expect(restored.body.isSuspended).toBe(false);
    expect((await app.call(login, again)).status).toBe(200);
    // The sessions of before do not come back.
    expect((await app.call(contract.getCompanyUsers, { token })).status).toBe(401);
  });
});
