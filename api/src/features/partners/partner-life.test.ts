import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { seedProviders } from '#seed/seed-providers.ts';
import { demoPassword } from '#seed/seed.ts';
import { demoPasswordHash } from '#testing/demo-password-hash.ts';
import { listenTo } from '#testing/hub-client.ts';
import { smallPdf, smallPng } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { getServices } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import * as contract from '@diwan/contract/people/partner-registration';
import {
  partnerActions,
  listPartnerActions,
  partnerTransitions,
  partnerStates,
  type PartnerAction,
} from '@diwan/contract/people/partner-states';
import {
  addSupervisor,
  removeSupervisor,
  updatePartner,
  getAllPartners,
  getAllServiceProviders,
} from '@diwan/contract/people/partners';
import { getProfile, login, refreshToken } from '@diwan/contract/people/users';
import { findAnything, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import {
  changeRoleConfirmation,
  decideRoleChange,
  getRoleConfirmation,
} from '@diwan/contract/staff/role-changes';

const app = useTestApp();

let made = 0;
/** A new client who is signed in. */
async function newClient(): Promise<{ username: string; token: string }> {
  const username = `client${(made += 1)}`;
  await app.database
    .insertInto('users')
    .values({
      username,
      password_hash: demoPasswordHash,
      full_name: 'New Client',
      phone_number: '+971501112223',
      email: `${username}@example.com`,
      roles: [],
      company_id: null,
      partner_id: null,
    })
    .execute();
  return {
    username,
    token: (await app.call(login, { body: { username, password: demoPassword } })).body.token,
  };
}

async function sendDocument(
  token: string,
  name: contract.PartnerDocumentName,
  content = smallPdf,
  mediaType = 'application/pdf',
): Promise<string> {
  const { body } = await app.call(contract.createPartnerDocument, {
    token,
    body: { name, fileName: `${name}.pdf`, mediaType, size: content.length },
  });
  expect(
    (
      await app.call(contract.uploadPartnerDocument, {
        token,
        params: { documentId: body.documentId },
        body: content,
      })
    ).status,
  ).toBe(200);
  return body.documentId;
}

const details = (licenceNumber: string) => ({
  nameAr: 'مركز الاختبار',
  nameEn: 'Test Centre',
  licenceNumber,
  agencyIds: [1, 2],
  contactName: 'Contact Person',
  contactEmail: 'office@example.com',
  contactPhone: '050 123 4567',
});
const bothDocuments = async (token: string) => [
  await sendDocument(token, 'tradeLicence'),
  await sendDocument(token, 'authorisationLetter', smallPng, 'image/png'),
];

async function register(
  licenceNumber = `L-${(made += 1)}`,
): Promise<{ token: string; username: string; partnerId: number; documentIds: string[] }> {
  const { username, token } = await newClient();
  const documentIds = await bothDocuments(token);
  const { status, body } = await app.call(contract.registerPartner, {
    token,
    body: { ...details(licenceNumber), documentIds, agreeToTermsAndConditions: true },
  });
  expect(status).toBe(200);
  return {
    username,
    token: (await app.call(refreshToken, { body: { token } })).body,
    partnerId: body.partnerId,
    documentIds,
  };
}

const read = async (partnerId: number) =>
  (await app.callAs('admin', contract.getPartnerById, { query: { PartnerId: partnerId } })).body;
const reasonsOf: Partial<Record<PartnerAction, string[]>> = {
  askAgain: ['documentUnreadable'],
  refuse: ['detailsDiffer'],
  suspend: ['licenceExpired'],
};
async function change(partnerId: number, action: PartnerAction, more: object = {}) {
  const { version } = await read(partnerId);
  return app.callAs('admin', contract.changePartnerState, {
    body: { partnerId, action, version, reasons: reasonsOf[action] ?? [], ...more },
  });
}
const changesOf = async (partnerId: number) =>
  (
    await app.callAs('admin', getChanges, {
      query: { Entity: 'partner', EntityId: String(partnerId) },
    })
  ).body.items;
const mailsTo = async (recipient: string) =>
  await app.database
    .selectFrom('sandbox.messages')
    .select(['subject', 'body'])
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute();
const claimOf = (token: string) =>
  (
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      restriction?: string;
    }
  ).restriction;

describe('registration', () => {
  it('makes the caller an inactive supervisor, with a record of the registration', async () => {
    const { token, partnerId, username } = await register('ل-٤٢ / ab');
    expect(claimOf(token)).toBe('inactive');
    const own = (await app.call(contract.getOwnPartnerRecord, { token })).body;
    expect(own).toMatchObject({
      partnerId,
      name: 'Test Centre',
      state: 'registered',
      licenceNumber: 'ل-42 / AB',
      contactPhone: '+971501234567',
      allowedActions: [],
      reasons: {},
      openRequestsCount: 0,
    });
    expect(own.names['ur-PK']).toBe('Test Centre');
    expect(
      own.documents.map(({ name, mediaType, isCurrent }) => [name, mediaType, isCurrent]),
    ).toEqual([
      ['tradeLicence', 'application/pdf', true],
      ['authorisationLetter', 'image/png', true],
    ]);
    expect(own.history).toEqual([
      {
        id: expect.any(Number),
        action: 'register',
        state: 'registered',
        reasons: [],
        at: expect.any(String),
      },
    ]);
    expect((await read(partnerId)).history).toMatchObject([{ actor: 'New Client' }]);
    await expect.poll(() => mailsTo(`${username}@example.com`)).toHaveLength(1);
    expect(await mailsTo('office@example.com')).not.toHaveLength(0);
  });

  it('reports all invalid fields together', async () => {
    const { token } = await newClient();
    const wrong = {
      nameAr: '\u200f \u200f',
      nameEn: 'Good',
      nameUr: 'www.evil.example',
      licenceNumber: 'L-x',
      agencyIds: [999_999],
      contactName: 'a@b.example',
      contactEmail: 'no',
      contactPhone: '123',
      documentIds: [],
      agreeToTermsAndConditions: true,
    };
    const { refused } = await app.call(contract.registerPartner, { token, body: wrong });
    expect(Object.keys(refused.errors ?? {}).toSorted()).toEqual(
      expect.arrayContaining(
        ['contactEmail', 'contactPhone', 'agencyIds', 'nameUr', 'contactName'].toSorted(),
      ),
    );
    const { refused: later } = await app.call(contract.registerPartner, {
      token,
      body: { ...details('L-none'), documentIds: [], agreeToTermsAndConditions: true },
    });
    expect(Object.keys(later.errors ?? {})).toEqual([
      'documents.tradeLicence',
      'documents.authorisationLetter',
    ]);
    expect(
      (
        await app.call(contract.registerPartner, {
          token,
          body: { ...details('L-none'), documentIds: [], agreeToTermsAndConditions: false },
        })
      ).refused.error,
    ).toBe('TermsNotAccepted');
    expect((await app.call(getProfile, { token })).body.roles).toEqual(['Client']);
  });

  it('refuses documents of other people, duplicates and wrong content', async () => {
    const [mine, other] = [await newClient(), await newClient()];
    const theirs = await bothDocuments(other.token);
    const own = await bothDocuments(mine.token);
    const send = (documentIds: string[]) =>
      app.call(contract.registerPartner, {
        token: mine.token,
        body: { ...details('L-doc'), documentIds, agreeToTermsAndConditions: true },
      });
    expect((await send(theirs)).refused.errors).toHaveProperty('documents');
    expect(
      (await send([...own, await sendDocument(mine.token, 'tradeLicence')])).refused.errors,
    ).toHaveProperty(['documents.tradeLicence']);
    const announce = (change: object) =>
      app.call(contract.createPartnerDocument, {
        token: mine.token,
        body: {
          name: 'tradeLicence',
          fileName: 'a.pdf',
          mediaType: 'application/pdf',
          size: 10,
          ...change,
        },
      });
    expect((await announce({ size: 0 })).refused.error).toBe('AttachmentEmpty');
    expect((await announce({ size: contract.partnerDocumentBytes + 1 })).refused.error).toBe(
      'AttachmentTooLarge',
    );
    expect((await announce({ mediaType: 'text/html' })).refused.error).toBe(
      'AttachmentTypeNotAccepted',
    );
    const html = Buffer.from('<script>alert(1)</script>');
    const { documentId } = (await announce({ size: html.length })).body;
    expect(
      (
        await app.call(contract.uploadPartnerDocument, {
          token: mine.token,
          params: { documentId },
          body: html,
        })
      ).refused.error,
    ).toBe('AttachmentTypeNotAccepted');
    expect(
      (
        await app.call(contract.uploadPartnerDocument, {
          token: other.token,
          params: { documentId },
          body: html,
        })
      ).refused.error,
    ).toBe('AttachmentNotFound');
  });

  it('requires an unaffiliated account, and registers a licence once, also in parallel', async () => {
    const documentIds = [crypto.randomUUID()];
    const body = { ...details('L-twice'), documentIds, agreeToTermsAndConditions: true };
    expect((await app.callAs('individual', contract.registerPartner, { body })).refused.error).toBe(
      'AccountCannotRegisterProvider',
    );
    for (const username of ['company', 'employee', 'supervisor', 'admin'])
      expect(
        (await app.callAs(username, contract.registerPartner, { body })).status,
        username,
      ).toBe(403);
    const clients = await Promise.all([newClient(), newClient()]);
    const answers = await Promise.all(
      clients.map(async ({ token }) =>
        app.call(contract.registerPartner, {
          token,
          body: { ...body, documentIds: await bothDocuments(token) },
        }),
      ),
    );
    expect(answers.map(({ status, refused }) => [status, refused.error]).toSorted()).toEqual([
      [200, undefined],
      [400, 'LicenceNumberInUse'],
    ]);
  });
});

describe('every state and every action', () => {
  const path: Record<string, PartnerAction[]> = {
    registered: [],
    verifying: ['verify'],
    needsDocuments: ['verify', 'askAgain'],
    active: ['verify', 'accept'],
    refused: ['verify', 'refuse'],
    suspended: ['verify', 'accept', 'suspend'],
  };

  it.each(partnerStates)(
    'in %s an admin can do what the table says, and nothing else changes anything',
    async (state) => {
      const { partnerId } = await register();
      for (const action of path[state] ?? [])
        expect((await change(partnerId, action)).status, action).toBe(200);
      const before = await read(partnerId);
      expect(before.state).toBe(state);
      const allowed = listPartnerActions(state, 'admin');
      expect(before.allowedActions).toEqual(allowed);
      for (const action of partnerActions.filter((each) => !allowed.includes(each)))
        expect((await change(partnerId, action)).refused.error, action).toBe(
          'ProviderActionNotAllowed',
        );
      expect(await read(partnerId)).toMatchObject({ version: before.version, state });
      // The last allowed action, so that each state is left once.
      const action = allowed.at(-1)!;
      const moved = await change(partnerId, action);
      expect(moved.body).toMatchObject({
        state: partnerTransitions[action].to,
        version: before.version + 1,
      });
      expect(moved.body.history).toHaveLength(before.history.length + 1);
    },
  );
});

describe('an admin', () => {
  it('gives reasons that belong to the action, and a message in all languages or in none', async () => {
    const { partnerId } = await register();
    await change(partnerId, 'verify');
    for (const reasons of [[], ['made-up'], ['licenceExpired', 'complaints']])
      expect((await change(partnerId, 'refuse', { reasons })).refused.error).toBe('ReasonRequired');
    expect((await change(partnerId, 'refuse', { messageEn: 'Only English' })).refused.error).toBe(
      'MessageIncomplete',
    );
    const { body } = await change(partnerId, 'refuse', {
      messageAr: 'عربي',
      messageEn: 'English',
      messageUr: 'اردو',
    });
    expect(body.history.at(-1)).toMatchObject({
      action: 'refuse',
      reasons: ['The details do not match the documents'],
      message: 'English',
      actor: 'Aisha Al Demo',
    });
  });

  it('gets a conflict on an old version, also as the second of two parallel calls', async () => {
    const { partnerId } = await register();
    const token = await app.signIn('admin');
    const { version } = await read(partnerId);
    const answers = await Promise.all(
      [1, 2].map(() =>
        app.call(contract.changePartnerState, {
          token,
          body: { partnerId, action: 'verify' as const, version },
        }),
      ),
    );
    expect(answers.map(({ refused }) => refused.error).toSorted()).toEqual(
      ['ProviderHasChanged', undefined].toSorted(),
    );
    expect(
      (
        await app.call(contract.changePartnerState, {
          token,
          body: { partnerId: 999_999, action: 'verify', version: 1 },
        })
      ).refused.error,
    ).toBe('NotFound');
  });

  it('filters by waiting providers', async () => {
    const { partnerId } = await register();
    const token = await app.signIn('admin');
    const waiting = (
      await app.call(getAllPartners, { token, query: { State: 'registered', Take: 100 } })
    ).body.items;
    expect(waiting.map(({ id }) => id)).toContain(partnerId);
    expect(new Set(waiting.map(({ state }) => state))).toEqual(new Set(['registered']));
    const people = (
      await app.call(getAllServiceProviders, { token, query: { State: 'registered', Take: 100 } })
    ).body;
    expect(people.items.map(({ partner }) => partner?.id)).toContain(partnerId);
    expect(people.totalCount).toBe(people.items.length);
  });

  it('alone changes the state, and the history cannot be changed', async () => {
    const { partnerId, token } = await register();
    for (const username of ['employee', 'supervisor', 'company', 'individual'])
      expect(
        (
          await app.callAs(username, contract.changePartnerState, {
            body: { partnerId, action: 'verify', version: 1 },
          })
        ).status,
      ).toBe(403);
    expect(
      (
        await app.call(contract.changePartnerState, {
          token,
          body: { partnerId, action: 'accept', version: 1 },
        })
      ).refused.error,
    ).toBe('ServiceProviderInactive');
    await expect(
      sql`update partner_history set actor_name = 'x' where partner_id = ${partnerId}`.execute(
        app.database,
      ),
    ).rejects.toThrow('append-only');
    await expect(
      sql`delete from partner_history where partner_id = ${partnerId}`.execute(app.database),
    ).rejects.toThrow('append-only');
    await expect(sql`truncate partner_history`.execute(app.database)).rejects.toThrow(
      'append-only',
    );
  });
});

describe('a provider with a returned registration', () => {
  it('corrects the registration, and the old document stays in the history', async () => {
    const { partnerId, token, username, documentIds } = await register('L-correct');
    await change(partnerId, 'verify');
    await change(partnerId, 'askAgain', {
      messageAr: 'أعيدوا الإرسال',
      messageEn: 'Send it again',
      messageUr: 'دوبارہ بھیجیں',
    });
    const own = (await app.call(contract.getOwnPartnerRecord, { token, language: 'ar-EG' })).body;
    expect(own).toMatchObject({ state: 'needsDocuments', allowedActions: ['resubmit'] });
    expect(own.history.at(-1)).toMatchObject({
      reasons: ['المستند غير واضح أو غير مكتمل'],
      message: 'أعيدوا الإرسال',
    });
    await expect
      .poll(async () => (await mailsTo(`${username}@example.com`)).at(-1)?.body)
      .toContain('المستند غير واضح أو غير مكتمل');
    const letter = await sendDocument(token, 'authorisationLetter');
    const body = {
      ...details('L-correct'),
      nameEn: 'Corrected Centre',
      documentIds: [letter],
      version: own.version,
    };
    expect(
      (
        await app.call(contract.resubmitPartner, {
          token,
          body: { ...body, version: own.version - 1 },
        })
      ).refused.error,
    ).toBe('ProviderHasChanged');
    const corrected = await app.call(contract.resubmitPartner, { token, body });
    expect(corrected.body).toMatchObject({
      state: 'verifying',
      name: 'Corrected Centre',
      allowedActions: [],
    });
    expect(
      corrected.body.documents.map(({ documentId, isCurrent }) => [documentId, isCurrent]),
    ).toEqual([
      [documentIds[0], true],
      [documentIds[1], false],
      [letter, true],
    ]);
    expect(
      (
        await app.call(contract.resubmitPartner, {
          token,
          body: { ...body, documentIds: [], version: corrected.body.version },
        })
      ).refused.error,
    ).toBe('ProviderActionNotAllowed');
    expect((await change(partnerId, 'accept')).body.state).toBe('active');
    const works = (await app.call(refreshToken, { body: { token } })).body;
    expect(claimOf(works)).toBeUndefined();
    expect((await app.call(getRequestsCount, { token: works })).status).toBe(200);
  });
});

describe('documents', () => {
  it('are visible to admins and to the provider, by personal references', async () => {
    const [{ partnerId, token }, stranger] = [await register(), await register()];
    const admin = await app.signIn('admin');
    const open = async (as: string, filePath: string) =>
      app.call(contract.downloadPartnerDocument, { token: as, query: { filePath } });
    const [forAdmin, forOwn] = [
      (await read(partnerId)).documents[0]!.filePath,
      (await app.call(contract.getOwnPartnerRecord, { token })).body.documents[0]!.filePath,
    ];
    expect((await open(admin, forAdmin)).status).toBe(200);
    expect((await open(token, forOwn)).status).toBe(200);
    for (const [as, path] of [
      [token, forAdmin],
      [admin, forOwn],
      [stranger.token, forOwn],
      [await app.signIn('supervisor'), forOwn],
    ] as const)
      expect((await open(as, path)).refused.error).toBe('AttachmentNotFound');
    expect((await open(await app.signIn('individual'), forOwn)).status).toBe(403);
    // A supervisor who now works for another provider keeps no access by an old reference.
    const moveTo = (to: number) =>
      app.database
        .updateTable('users')
        .set({ partner_id: to })
        .where('partner_id', '=', to === partnerId ? stranger.partnerId : partnerId)
        .where('id', '=', String(decodeJwt(token).sub))
        .execute();
    await moveTo(stranger.partnerId);
    expect((await open(token, forOwn)).refused.error).toBe('AttachmentNotFound');
    await moveTo(partnerId);
    expect((await open(token, forOwn)).status).toBe(200);
  });
});

describe('a restricted supervisor', () => {
  it('can make only the calls that are open to the state, and is anonymous in public calls', async () => {
    const { partnerId, token } = await register();
    for (const restriction of ['inactive', 'suspended'] as const) {
      if (restriction === 'suspended')
        for (const action of ['verify', 'accept', 'suspend'] as const)
          await change(partnerId, action);
      for (const call of allCalls.filter(({ who }) => who !== 'anyone')) {
        const id = call.path.includes('Request') ? '1' : '00000000-0000-4000-8000-000000000000';
        const answer = await app.call(
          call as never,
          {
            token,
            params: { requestId: id, serviceId: '1', attachmentId: id, documentId: id },
            ...(call.method === 'GET' ? {} : { body: {} }),
          } as never,
        );
        const name =
          restriction === 'inactive' ? 'ServiceProviderInactive' : 'ServiceProviderSuspended';
        const isOpen = call.openTo?.includes(restriction) && call.who.includes('ServiceProvider');
        if (isOpen) expect([401, 403, 500], call.name).not.toContain(answer.status);
        else
          expect(
            [answer.status, call.openTo?.includes(restriction) ? 'YouAreUnauthorized' : name],
            call.name,
          ).toEqual([403, answer.refused.error]);
      }
      expect((await app.call(getServices, { token, query: {} } as never)).status).toBe(200);
    }
    expect((await change(partnerId, 'reactivate')).status).toBe(200);
    // The role is read from the database, so the token stays valid.
    expect((await app.call(getRequestsCount, { token })).status).toBe(200);
  });

  it('loses access to requests immediately, and the record informs staff', async () => {
    const stage = openRequestStage(app);
    const sent = await stage.sendAndReceive('individual', paidService);
    const partner = await app.database
      .selectFrom('requests')
      .select('partner_id')
      .where('id', '=', sent.requestId)
      .executeTakeFirstOrThrow();
    const row = await app.database
      .selectFrom('users')
      .select('username')
      .where('partner_id', '=', partner.partner_id)
      .executeTakeFirstOrThrow();
    const token = await app.signIn(row.username);
    const before = (await read(partner.partner_id!)).openRequestsCount;
    expect(before).toBeGreaterThan(0);
    expect(
      (await stage.read('employee', sent.requestId)).body.serviceProviderState,
    ).toBeUndefined();
    expect((await change(partner.partner_id!, 'suspend')).status).toBe(200);
    expect(
      (await app.call(getRequestById, { token, query: { RequestId: sent.requestId } })).refused
        .error,
    ).toBe('ServiceProviderSuspended');
    expect((await stage.read('employee', sent.requestId)).body.serviceProviderState).toBe(
      'suspended',
    );
    expect(
      (await stage.read('individual', sent.requestId)).body.serviceProviderState,
    ).toBeUndefined();
    expect((await read(partner.partner_id!)).openRequestsCount).toBe(before);
    await change(partner.partner_id!, 'reactivate');
    expect((await app.call(getRequestsCount, { token })).status).toBe(200);
  });
});

it('the demo data has one waiting and one suspended provider, once', async () => {
  const lines: string[] = [];
  await Promise.all(
    [1, 2].map(() => seedProviders(app.database, app.config, (line) => lines.push(line))),
  );
  expect(lines).toHaveLength(1);
  const rows = await app.database
    .selectFrom('partners')
    .innerJoin('users', 'users.partner_id', 'partners.id')
    .select(['username', 'state'])
    .where('username', 'like', 'provider-%')
    .orderBy('username')
    .execute();
  expect(rows).toEqual([
    { username: 'provider-new', state: 'registered' },
    { username: 'provider-suspended', state: 'suspended' },
  ]);
  const { id } = await app.database
    .selectFrom('partner_documents')
    .innerJoin('users', 'users.id', 'partner_documents.user_id')
    .select('partner_documents.id')
    .where('username', '=', 'provider-new')
    .executeTakeFirstOrThrow();
  expect(
    (await readFile(join(app.config.DATA_DIR, 'files', id.slice(0, 2), id)))
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

describe('further supervisors', () => {
  const add = async (partnerId: number, username: string) =>
    app.callAs('admin', addSupervisor, { body: { partnerId, username } });
  const remove = async (partnerId: number, userId: string) =>
    app.callAs('admin', removeSupervisor, { body: { partnerId, userId } });
  const idOf = (username: string) => app.idOf(username);

  it('must be unaffiliated: not staff, without company, provider or requests, and not suspended', async () => {
    const { partnerId, username } = await register();
    for (const [account, error] of [
      ['employee', 'AccountCannotSupervise'],
      ['company', 'AccountCannotSupervise'],
      ['supervisor2', 'AccountCannotSupervise'],
      ['individual', 'AccountCannotSupervise'],
      ['nobody-at-all', 'UsernameNotFound'],
      [username, 'AlreadySupervisor'],
    ]) {
      expect((await add(partnerId, account as string)).body, account).toMatchObject({ error });
    }
    const suspended = await newClient();
    await app.database
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('username', '=', suspended.username)
      .execute();
    expect((await add(partnerId, suspended.username)).body).toMatchObject({
      error: 'AccountCannotSupervise',
    });
    expect((await add(2_000_000_000, suspended.username)).body).toMatchObject({
      error: 'NotFound',
    });
    expect((await read(partnerId)).supervisors).toHaveLength(1);
  });

  it('work for the provider until they are removed, and one always remains', async () => {
    const { partnerId, username } = await register();
    const further = await newClient();
    const added = await add(partnerId, ` ${further.username.toUpperCase()} `);
    expect(added.status).toBe(200);
    expect(added.body.supervisors).toHaveLength(2);
    expect(
      (
        await app.call(contract.getOwnPartnerRecord, {
          token: (await app.call(refreshToken, { body: { token: further.token } })).body,
        })
      ).body,
    ).toMatchObject({ partnerId });
    const [first, second] = [await idOf(username), await idOf(further.username)];
    const both = await Promise.all([remove(partnerId, first), remove(partnerId, second)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const [left] = (await read(partnerId)).supervisors;
    expect((await remove(partnerId, left?.id ?? '')).body).toMatchObject({
      error: 'ProviderNeedsSupervisor',
    });
    const gone = left?.id === first ? further : { username };
    const account = await app.database
      .selectFrom('users')
      .select(['roles', 'partner_id'])
      .where('username', '=', gone.username)
      .executeTakeFirstOrThrow();
    expect(account).toEqual({ roles: [], partner_id: null });
    expect((await remove(partnerId, await idOf(gone.username))).body).toMatchObject({
      error: 'NotFound',
    });
  });

  it('wait for a second admin where the rule says so, like every change of roles', async () => {
    const { partnerId, username } = await register();
    const [further, second] = [await newClient(), await newClient()];
    await app.database
      .updateTable('users')
      .set({ roles: ['Admin'], all_agencies: true })
      .where('username', '=', second.username)
      .execute();
    const rule = (isRequired: boolean) =>
      app.callAs('admin', changeRoleConfirmation, { body: { isRequired } });
    expect((await rule(true)).status).toBe(200);
    try {
      const added = await add(partnerId, further.username);
      expect(added.body.supervisors.map(({ id }) => id)).toEqual([await idOf(username)]);
      expect(added.body.pendingSupervisors).toMatchObject([
        { id: await idOf(further.username), isAdded: true },
      ]);
      expect((await add(partnerId, further.username)).refused.error).toBe('ChangeIsPending');
      const { pending } = (await app.callAs('admin', getRoleConfirmation)).body;
      const decide = (token: string) =>
        app.call(decideRoleChange, {
          token,
          body: { changeId: pending[0]!.changeId, decision: 'confirm' as const },
        });
      expect((await decide(await app.signIn('admin'))).refused.error).toBe('NotOnOwnChange');
      expect((await decide(second.token)).status).toBe(200);
      expect((await read(partnerId)).supervisors).toHaveLength(2);
      const removed = await remove(partnerId, await idOf(username));
      expect(removed.body.supervisors).toHaveLength(2);
      expect(removed.body.pendingSupervisors).toMatchObject([
        { id: await idOf(username), isAdded: false },
      ]);
      expect(await changesOf(partnerId)).toMatchObject([
        { fields: [{ field: 'supervisor', after: 'New Client' }], address: '127.0.0.1' },
      ]);
    } finally {
      await app.database.deleteFrom('role_changes').execute();
      await app.database.deleteFrom('settings').where('name', '=', 'roleConfirmation').execute();
      await app.database
        .updateTable('users')
        .set({ roles: [] })
        .where('username', '=', second.username)
        .execute();
    }
  });
});

describe('the names of a provider', () => {
  const name = { 'ar-EG': 'مركز جديد', 'en-US': 'New Centre', 'ur-PK': 'نیا مرکز' };
  const save = (partnerId: number, version: number, given = name) =>
    app.callAs('admin', updatePartner, { body: { partnerId, version, name: given } });

  it('change once for a version, and the history has both', async () => {
    const { partnerId } = await register();
    const { version } = await read(partnerId);
    const other = { ...name, 'en-US': 'Other Centre' };
    const both = await Promise.all([save(partnerId, version), save(partnerId, version, other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 400)?.refused.error).toBe('RecordHasChanged');
    const saved = both.find(({ status }) => status === 200)!.body;
    expect((await read(partnerId)).names).toEqual(saved.names);
    const [entry] = await changesOf(partnerId);
    expect(entry?.fields).toContainEqual({
      field: 'name',
      language: 'en-US',
      before: 'Test Centre',
      after: saved.names['en-US'],
    });
  });

  it('are found with and without their spaces', async () => {
    const { partnerId } = await register();
    const { version } = await read(partnerId);
    await save(partnerId, version);
    for (const SearchKeyword of ['newcentre', 'New Centre', 'مركزجديد', 'نیامرکز']) {
      const listed = await app.callAs('admin', getAllPartners, { query: { SearchKeyword } });
      const found = await app.callAs('admin', findAnything, { query: { Text: SearchKeyword } });
      for (const partners of [listed.body.items, found.body.partners])
        expect(partners.map(({ id }) => id)).toContain(partnerId);
    }
  });

  it('are required in each language and hold no address', async () => {
    const { partnerId } = await register();
    const { version } = await read(partnerId);
    expect((await save(2_000_000_000, 1)).refused.error).toBe('NotFound');
    for (const [given, field] of [
      [{ ...name, 'ur-PK': ' ' }, 'name.ur-PK'],
      [{ ...name, 'en-US': 'See https://example.com' }, 'name.en-US'],
    ] as const)
      expect(Object.keys((await save(partnerId, version, given)).refused.errors ?? {})).toEqual([
        field,
      ]);
  });
});

it('records each change of state with its reasons, and closes live connections', async () => {
  const { partnerId, token } = await register();
  for (const action of ['verify', 'accept'] as const) await change(partnerId, action);
  const base = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const hub = await listenTo({ url: `${base}/hubs/request`, token });
  const began = Date.now();
  await change(partnerId, 'suspend');
  await hub.closed;
  // The regular check of a connection is every 15 seconds.
  expect(Date.now() - began).toBeLessThan(5000);
  expect((await changesOf(partnerId))[0]?.fields).toEqual([
    { field: 'state', before: 'active', after: 'suspended' },
    { field: 'reasons', after: '["licenceExpired"]' },
  ]);
});
