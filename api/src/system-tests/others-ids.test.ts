import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import type { Call } from '@diwan/contract/wire/call';
import { returnRequest } from '@diwan/contract/requests/requests';
import { smallPdf } from '../testing/demo-request.ts';
import { openRequestStage, paidService, words } from '../testing/request-stage.ts';
import { openRoleStage, type RoleStage } from '../testing/role-stage.ts';
import { people, type Parts, type Person } from '../testing/well-formed-call.ts';

/** What names something of somebody's, by the name of a field of the contract. */
const namesSomething =
  /(id|ids|list|number|reference|path|token|key|keyword|request|code|state|summary|cookie)$/i;

/**
 * Fields that such a name catches though they name nothing of somebody's, or open it by themselves;
 * by field, or by call and field.
 */
const exceptions: Record<string, string> = {
  serviceId: 'the catalogue is public',
  ServiceCategoryId: 'the catalogue is public',
  GovernmentAgencyId: 'the catalogue is public',
  AccountTypeId: 'the catalogue is public',
  agencyIds: 'the catalogue is public',
  'getServices SearchKeyword': 'the catalogue is public',
  'getAllGovernmentAgenciesWithServices SearchKeyword': 'the catalogue is public',
  statusId: 'the workflow is the same for all',
  StatusId: 'the workflow is the same for all',
  StatusIds: 'the workflow is the same for all',
  requestHistoryRejectionReasonId: 'reasons are the same for all',
  requestHistoryRejectionReasonsList: 'reasons are the same for all',
  phoneNumber: 'typed by the caller as their own',
  licenceNumber: 'typed by the caller as their own',
  emiratesId: 'typed by the caller as their own; proves nothing',
  serviceProviderRequestNumber: 'a note of the provider’s own',
  'saveDraft draftId': 'means something only together with its writer, tried in drafts.test.ts',
  'createRequest draftId': 'tried in drafts.test.ts',
  'saveDraft attachmentIds': 'those of others are left out, tried in drafts.test.ts',
  PageNumber: 'counts pages',
  code: 'a secret, tried in register, forgotten-password, own-account and second-factor.test.ts',
  VerificationCode: 'a secret, tried in inquire.test.ts',
  token: 'a secret that opens by itself, tried in session.test.ts and company-users.test.ts',
  state: 'a secret of one browser, tried in uae-pass.test.ts',
  paymentSummary:
    'what the provider gives the browser; the provider is asked again, tried in hostile-provider.test.ts',
  'saveFilter list': 'one of the lists that all staff have',
  communicationTypeId: 'the ways to be told are the same for all',
  'checkRequestIsPaid RequestNumber':
    'whoever holds the number of a request may know whether it is paid (specification §7)',
  'updateRequest requestAttachmentList': 'taken and not read; the documents are attachmentIds',
  'returnRequest requestAttachmentList': 'taken and not read',
  'acceptRequest requestAttachmentList': 'taken and not read',
  'submittedRequest requestAttachmentList': 'below',
  'updateRequest attachmentIds': 'below',
  'getRequestsByStatusId SearchKeyword': 'below',
  'getAllRequestsByStatusId SearchKeyword': 'below',
  'checkReferralCodeValidity refferalCode': 'a code is nobody’s, and opens nothing',
  'createRequest referralCode': 'a code is nobody’s, and opens nothing',
};
/** Calls that bring much of the caller's own, into which something of somebody else's is mixed. */
const mixed = ['createRequest', 'registerPartner', 'resubmitPartner'];

let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage();
});
afterAll(() => stage.app.close());

type Place = 'params' | 'query' | 'body';
const shapeOf = (call: Call, place: Place): string[] =>
  Object.keys((call[place] as { shape?: object } | undefined)?.shape ?? {});
const places: readonly Place[] = ['params', 'query', 'body'];
const isStaffOnly = (call: Call) =>
  call.who !== 'anyone' && call.who.every((role) => role === 'Admin' || role === 'Employee');

interface Case {
  name: string;
  row: string;
  call: Call;
  place: Place;
  field: string;
}

/**
 * Every field of the contract that names something of somebody's. Staff see the requests of all, so
 * calls of theirs alone have no stranger.
 */
const fields = allCalls
  .filter((call) => !isStaffOnly(call))
  .flatMap((call) =>
    places.flatMap((place) =>
      shapeOf(call, place)
        .filter((field) => namesSomething.test(field))
        .map((field) => ({ call, place, field })),
    ),
  );
const cases: Case[] = fields
  .filter(({ call, field }) => !(field in exceptions) && !(`${call.name} ${field}` in exceptions))
  .map(({ call, place, field }) => {
    const row = call.name === 'createAttachment' ? 'createAttachment (a result)' : call.name;
    return { name: `${row}: ${field}`, row, call, place, field };
  });

/** An id of the same form that nothing has. */
function unknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unknown);
  if (typeof value === 'number') return 2_000_000_000;
  const text = String(value);
  if (/^[\da-f]{8}-/.test(text)) return randomUUID();
  if (/^\d+$/.test(text)) return '2000000000';
  // The same form with other letters: a request's number, a sealed reference, a word.
  return text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === '7' ? '3' : '7'));
}

/**
 * Everything that is kept, as one word for each table: how many rows, and by which transactions
 * they were written. What a call leaves whatever it was for, and what hubs and outbox do by
 * themselves, is not part of it.
 */
async function readAll(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    stage.app.database,
  );
  const left = [
    'audit_events',
    'sign_in_tries',
    'code_askers',
    'users_before',
    'partners_before',
    'hub_news',
    'hub_positions',
    'messages',
  ];
  const read = tables
    .filter(({ name }) => !left.includes(name))
    .map(async ({ name }) => {
      const { rows } = await sql<{
        sum: string;
      }>`select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as sum from ${sql.table(name)}`.execute(
        stage.app.database,
      );
      return [name, rows[0]?.sum ?? ''] as const;
    });
  return Object.fromEntries(await Promise.all(read));
}

const strangersOf = ({ row, call }: Case, owner: Person): Person[] =>
  people.filter((person) => {
    const { roles } = stage.person(person);
    if (person === owner || ['anonymous', 'employee', 'admin'].includes(person)) return false;
    // The requests are for the partner of `supervisor`.
    if (
      person === 'supervisor' &&
      (call.path.includes('/Request/') ||
        call.path.includes('/ServiceProviderRequestAttachment/') ||
        ['markAttachmentViewed', 'createAttachment (a result)', 'getRequestMessages'].includes(row))
    )
      return false;
    return (
      call.who === 'anyone' ||
      roles.some((role) => call.who !== 'anyone' && call.who.includes(role))
    );
  });

/** The same parts with another value in one place. */
const withField = (
  parts: Parts,
  { place, field }: Pick<Case, 'place' | 'field'>,
  value: unknown,
): Parts => ({ ...parts, [place]: { ...(parts[place] as object), [field]: value } });

/**
 * Makes a call with an id that nothing has and then with theirs: the same answer, word for word,
 * and nothing is changed.
 */
async function expectNothingThere(
  one: Pick<Case, 'call' | 'place' | 'field'>,
  callers: readonly { person: Person; parts: Parts }[],
  theirs: unknown,
  none = unknown(theirs),
): Promise<void> {
  const sendAll = async (value: unknown) => {
    const answers: ({ person: Person } & Awaited<ReturnType<RoleStage['send']>>)[] = [];
    for (const { person, parts } of callers)
      answers.push({
        person,
        ...(await stage.send(one.call, person, withField(parts, one, value))),
      });
    return answers;
  };
  const told = await sendAll(none);
  const before = await readAll();
  const answers = await sendAll(theirs);
  expect(answers, 'they are told that there is such a thing').toEqual(told);
  expect(await readAll(), 'something was changed').toEqual(before);
  for (const { person, status, body } of answers) {
    if (status >= 300) expect([400, 403, 404], person).toContain(status);
    else expect(JSON.parse(body), `${person} found something`).toMatchObject({ totalCount: 0 });
  }
}

describe('an id of somebody else', () => {
  it('is looked for in every field that may be one; every exception is still one', () => {
    const found = new Set(fields.flatMap(({ call, field }) => [field, `${call.name} ${field}`]));
    expect(Object.keys(exceptions).filter((name) => !found.has(name))).toEqual([]);
    expect(cases.length).toBeGreaterThan(25);
  });

  it.each(cases.map((one) => [one.name, one] as const))(
    'is like one that is not there: %s',
    async (_, one) => {
      const wellFormed = stage.calls[one.row];
      const owner = wellFormed?.owner ?? 'individual';
      const strangers = strangersOf(one, owner);
      expect(strangers, 'nobody to try it').not.toEqual([]);
      const theirs = await wellFormed?.make(owner);
      const value = (theirs?.[one.place] as Record<string, unknown> | undefined)?.[one.field];
      expect(value, 'nothing to try').toBeDefined();
      const callers: { person: Person; parts: Parts }[] = [];
      for (const person of strangers)
        callers.push({
          person,
          parts: (mixed.includes(one.row) ? await wellFormed?.make(person) : theirs) ?? {},
        });
      await expectNothingThere(one, callers, value);
      // It was worth trying: somebody whose it is gets through with the same.
      const statuses: number[] = [];
      for (const person of [owner, 'employee', 'supervisor'] as const)
        if (!statuses.includes(200))
          statuses.push((await stage.send(one.call, person, theirs ?? {})).status);
      expect(statuses).toContain(200);
      await stage.putBack();
    },
  );

  const callOf = (name: string) => allCalls.find((call) => call.name === name) as Call;

  it('is like one that is not there among the documents of an own request that is mended', async () => {
    const requests = openRequestStage(stage.app);
    const own = await requests.sendAndReceive('individual2', paidService);
    expect(
      (
        await requests.act('employee', returnRequest, {
          requestId: own.requestId,
          requestHistoryRejectionReasonsList: [1],
          ...words,
        })
      ).status,
    ).toBe(200);
    const theirs = await stage.calls['deleteAttachment']?.make('individual');
    const parts = { body: { requestId: own.requestId, answers: own.answers } };
    const bound = await requests.send('individual', paidService);
    for (const id of [theirs?.params?.['attachmentId'], ...bound.attachmentIds]) {
      await expectNothingThere(
        { call: callOf('updateRequest'), place: 'body', field: 'attachmentIds' },
        [{ person: 'individual2', parts }],
        [...own.attachmentIds, id],
        [...own.attachmentIds, randomUUID()],
      );
    }
  });

  it('is like one that is not there among the results of a request that is completed', async () => {
    const result = await stage.calls['createAttachment (a result)']?.make('employee');
    const { attachmentId } = JSON.parse(
      (await stage.send(callOf('createAttachment'), 'employee', result ?? {})).body,
    ) as { attachmentId: string };
    expect(
      (
        await stage.send(callOf('uploadAttachment'), 'employee', {
          params: { attachmentId },
          body: smallPdf,
        })
      ).status,
    ).toBe(200);
    const { requestId } = (result?.body ?? {}) as Record<string, unknown>;
    const parts = { body: { requestId } };
    await expectNothingThere(
      { call: callOf('submittedRequest'), place: 'body', field: 'requestAttachmentList' },
      [{ person: 'supervisor', parts }],
      [attachmentId],
    );
  });

  it('is found by no search of lists', async () => {
    const { requestNumber } = await openRequestStage(stage.app).sendAndApprove(
      'individual',
      paidService,
    );
    const callers = (['individual2', 'company', 'company2', 'supervisor2'] as const).map(
      (person) => ({ person, parts: {} }),
    );
    for (const name of ['getRequestsByStatusId', 'getAllRequestsByStatusId'])
      await expectNothingThere(
        { call: callOf(name), place: 'query', field: 'SearchKeyword' },
        callers,
        requestNumber,
      );
  });
});
