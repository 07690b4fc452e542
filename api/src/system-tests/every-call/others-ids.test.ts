import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql, type Sql } from '#platform/database/sql.ts';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { openTeamStage, otherService } from '#testing/requests/team-stage.ts';
import { onlyWhenAsked } from '#testing/test-app.ts';
import { people, type Parts, type Person } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { returnRequest } from '@diwan/contract/requests/request-actions';
import { governmentRoles, type Call } from '@diwan/contract/wire/call';

/** Fields of the contract that name a record of one user. */
const namesSomething =
  /(id|ids|list|number|reference|path|token|key|keyword|request|code|state|summary|cookie)$/i;

/**
 * Fields whose name matches although they name no such record, or grant access themselves; by
 * field, or by call and field.
 */
const exceptions: Record<string, string> = {
  serviceId: 'the catalogue is public',
  ServiceCategoryId: 'the catalogue is public',
  GovernmentAgencyId: 'the catalogue is public',
  AccountTypeId: 'the catalogue is public',
  'getHolidayFile AgencyId': 'the calendars of agencies are public',
  'getLegalPageVersion Id': 'every version of a legal page is public',
  agencyIds: 'the catalogue is public',
  'getServices SearchKeyword': 'the catalogue is public',
  'getAllGovernmentAgenciesWithServices SearchKeyword': 'the catalogue is public',
  statusId: 'the workflow is the same for all',
  StatusId: 'the workflow is the same for all',
  StatusIds: 'the workflow is the same for all',
  requestHistoryRejectionReasonId:
    'one of another agency is refused, tried in agency-reasons.test.ts',
  requestHistoryRejectionReasonsList:
    'one of another agency is refused, tried in agency-reasons.test.ts',
  phoneNumber: 'typed by the caller as their own',
  licenceNumber: 'typed by the caller as their own',
  emiratesId: 'typed by the caller as their own; proves nothing',
  serviceProviderRequestNumber: 'a note of the provider’s own',
  'saveDraft draftId': 'means something only together with its writer, tried in drafts.test.ts',
  'createRequest draftId': 'tried in drafts.test.ts',
  'saveDraft attachmentIds': 'those of others are left out, tried in drafts.test.ts',
  ServiceId: 'the catalogue is public',
  'dismissFailedAction heldActionId':
    'unknown ones are dismissed alike; that those of others stay is tried in pending-actions.test.ts',
  PageNumber: 'counts pages',
  PartnerId: 'finds nothing for anybody but clerks and admins, tried in figure-groups.test.ts',
  CompanyId: 'finds nothing for anybody but clerks and admins, tried in company-users.test.ts',
  code: 'a secret, tried in register, forgotten-password, own-account and second-factor.test.ts',
  VerificationCode: 'a secret, tried in inquire.test.ts',
  token: 'a secret that opens by itself, tried in session.test.ts and company-users.test.ts',
  state: 'a secret of one browser, tried in uae-pass.test.ts',
  paymentSummary:
    'what the provider gives the browser; the provider is asked again, tried in hostile-provider.test.ts',
  'openUrgently requestNumber':
    'the urgent right finds every request, which is loud; tried in urgent-reading.test.ts',
  'findComplaint reference':
    'found only with the address of its sender, tried in complaints.test.ts',
  'downloadComplaintDocument reference':
    'opens only with the address of its sender, tried in complaint-documents.test.ts',
  'sendComplaint documentIds': 'those of others are refused, tried in complaint-documents.test.ts',
  'sendComplaint requestNumber': 'a note that opens nothing',
  'getCertificatePath RequestId': 'only some requests have one, tried in certificates.test.ts',
  'revokeCertificate requestId': 'only some requests have one, tried in certificates.test.ts',
  'restoreCertificate requestId': 'only some requests have one, tried in certificates.test.ts',
  'getRefunds Keyword': 'only some requests have one, tried in payment-lists.test.ts',
  TeamId: 'one of another team finds nothing, tried in team-scope.test.ts',
  'getRefunds AgencyId': 'the catalogue is public',
  'getRefunds State': 'one of a few words',
  'getCertificates Keyword': 'only some requests have one, tried in certificates.test.ts',
  'getCertificates State': 'one of three words',
  'checkCertificate Code': 'a signed code, tried in certificates.test.ts',
  'savePushSubscription publicKey': 'a key that a browser made; it names no record',
  'markNotifications ids': 'those of others stay as they are, tried in notices.test.ts',
  'checkInvoice Code': 'a signed code that shows nothing private, tried in invoices.test.ts',
  'saveFilter list': 'one of the lists that all staff have',
  RequestIds:
    'those of others count as none, tried in reassign-request.test.ts and agency-reasons.test.ts',
  communicationTypeId: 'the choices of channels are the same for all',
  'checkRequestIsPaid RequestNumber':
    'the number of a request is enough to see whether it is paid (specification §7)',
  'updateRequest requestAttachmentList': 'taken and not read; the documents are attachmentIds',
  'returnRequest requestAttachmentList': 'taken and not read',
  'acceptRequest requestAttachmentList': 'taken and not read',
  'approveRequest requestAttachmentList': 'taken and not read',
  'submittedRequest requestAttachmentList': 'below',
  'updateRequest attachmentIds': 'below',
  'getVisibleServices SearchKeyword':
    'the catalogue is public; whose services, agency-scope.test.ts',
  'getRequestsByStatusId SearchKeyword': 'below',
  'getAllRequestsByStatusId SearchKeyword': 'below',
  'checkReferralCodeValidity refferalCode': 'a code is nobody’s, and opens nothing',
  'createRequest referralCode': 'a code is nobody’s, and opens nothing',
};
/** Values of another agency than that of `agency-moi`, for fields that the well-formed call leaves out. */
const ofAnotherAgency: Record<string, unknown> = { agencyId: 1 };
/** Calls with records of the caller, into which one record of another user is mixed. */
const mixed = ['createRequest', 'registerPartner', 'resubmitPartner'];

let stage: RoleStage;
beforeAll(async () => {
  // A job would change what a call left, between two readings of the tables.
  stage = await openRoleStage(onlyWhenAsked);
});
afterAll(() => stage.app.close());

type Place = 'params' | 'query' | 'body';
const shapeOf = (call: Call, place: Place): string[] =>
  Object.keys((call[place] as { shape?: object } | undefined)?.shape ?? {});
const places: readonly Place[] = ['params', 'query', 'body'];
const isStaffOnly = (call: Call) =>
  call.who !== 'anyone' &&
  call.who.every((role) => governmentRoles.some((known) => known === role));

interface Case {
  name: string;
  row: string;
  call: Call;
  place: Place;
  field: string;
}

const isForEmployees = (call: Call) => call.who !== 'anyone' && call.who.includes('Employee');

/**
 * All fields of the contract that name a record of one user. Of the government's roles an employee sees
 * the requests of some agencies; the others see all, and their records belong to nobody, so calls for
 * these only are left out.
 */
const fields = allCalls
  .filter((call) => !isStaffOnly(call) || isForEmployees(call))
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

/** An id of the same format that no record has. */
function unknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unknown);
  if (typeof value === 'number') return 2_000_000_000;
  const text = String(value);
  if (/^[\da-f]{8}-/.test(text)) return randomUUID();
  if (/^\d+$/.test(text)) return '2000000000';
  // The same format with other letters: a request number, an encrypted reference, a word.
  return text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === '7' ? '3' : '7'));
}

/** Tables of which every call changes a column: what else a call could change of them. */
const contents: Record<string, Sql<unknown>> = {
  // Once a minute a session stores when it was used.
  sessions: sql`md5(string_agg(id || token_id::text || coalesce(ended_at::text, ''), ',' order by id))`,
};

/**
 * A fingerprint of all tables: the number of rows, and the transactions that wrote them. Tables
 * that every call, the hubs or the outbox change are left out. No job runs: see above.
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
      const written = contents[name] ?? sql`sum(xmin::text::bigint)::text`;
      const { rows } = await sql<{
        sum: string;
      }>`select count(*) || ' ' || coalesce(${written}, '0') as sum from ${sql.id(name)}`.execute(
        stage.app.database,
      );
      return [name, rows[0]?.sum ?? ''] as const;
    });
  return Object.fromEntries(await Promise.all(read));
}

// They see every request, and what belongs to one. `employee-moi` is not among them: an employee of an
// agency that none of the records is for.
const readers: readonly Person[] = ['anonymous', 'employee', 'admin', 'finance', 'auditor'];

const strangersOf = ({ row, call }: Case, owner: Person): Person[] =>
  people.filter((person) => {
    const { roles } = stage.person(person);
    if (person === owner || readers.includes(person)) return false;
    // The requests are for services of the partner of `supervisor`.
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

/** The same parts with another value at one path. */
const withField = (
  parts: Parts,
  { place, field }: Pick<Case, 'place' | 'field'>,
  value: unknown,
): Parts => ({ ...parts, [place]: { ...(parts[place] as object), [field]: value } });

/**
 * Makes a call with an unknown id and then with another user's id: the replies are equal word for
 * word, and no data changes.
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
  const refused = await sendAll(none);
  const before = await readAll();
  const answers = await sendAll(theirs);
  expect(answers, 'the reply reveals that the record exists').toEqual(refused);
  expect(await readAll(), 'something was changed').toEqual(before);
  for (const { person, status, body } of answers) {
    if (status >= 300) expect([400, 403, 404], person).toContain(status);
    else expect(JSON.parse(body), `${person} found something`).toMatchObject({ totalCount: 0 });
  }
}

describe('an id of another user', () => {
  it('is tried in every field that may hold one; every exception is still needed', () => {
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
      // The attempt is meaningful: the owner succeeds with the same parts.
      const statuses: number[] = [];
      for (const person of [owner, 'employee', 'supervisor'] as const)
        if (!statuses.includes(200))
          statuses.push((await stage.send(one.call, person, theirs ?? {})).status);
      expect(statuses).toContain(200);
      await stage.restore();
    },
  );

  // What an agency administrator names of another agency.
  const subjects: Case[] = allCalls.flatMap((call: Call) =>
    typeof call.byAgency === 'object'
      ? Object.values(call.byAgency).flatMap((field) =>
          places
            .filter((place) => shapeOf(call, place).includes(field))
            .map((place) => ({
              name: `${call.name}: ${field}`,
              row: call.name,
              call,
              place,
              field,
            })),
        )
      : [],
  );

  it.each(subjects.map((one) => [one.name, one] as const))(
    'is like one that is not there for an administrator of another agency: %s',
    async (_, one) => {
      const made = (await stage.calls[one.row]?.make('admin')) ?? {};
      const parts =
        one.field in ((made[one.place] as object | undefined) ?? {})
          ? made
          : withField(made, one, ofAnotherAgency[one.field]);
      const value = (parts[one.place] as Record<string, unknown>)[one.field];
      expect(value, 'nothing to try').toBeDefined();
      await expectNothingThere(one, [{ person: 'agency-moi', parts }], value);
      // The attempt is meaningful: who administers the agency succeeds with the same parts.
      expect((await stage.send(one.call, 'agency-rta', parts)).status).toBe(200);
      await stage.restore();
    },
  );

  describe('of the same agency', () => {
    const reading = cases.filter(({ call }) => call.method === 'GET' && isForEmployees(call));

    // `employee-moi` works for all agencies, in a team that works on another service.
    beforeAll(async () => {
      const userId = await stage.app.idOf('employee-moi');
      const teams = openTeamStage(stage.app);
      await sql`
        insert into staff_agencies (user_id, agency_id, teams_only)
        select ${userId}, id, true
        from agencies
        on conflict (user_id, agency_id) do update set teams_only = true`.execute(
        stage.app.database,
      );
      await teams.save('Drivers', ['employee-moi'], { services: [otherService] });
    });

    it.each(reading.map((one) => [one.name, one] as const))(
      'is like one that is not there for an employee of another team: %s',
      async (_, one) => {
        const owner = stage.calls[one.row]?.owner ?? 'individual';
        const theirs = (await stage.calls[one.row]?.make(owner)) ?? {};
        const value = (theirs[one.place] as Record<string, unknown> | undefined)?.[one.field];
        expect(value, 'nothing to try').toBeDefined();
        await expectNothingThere(one, [{ person: 'employee-moi', parts: theirs }], value);
        // The attempt is meaningful: the owner, or who sees all agencies, succeeds with the same parts.
        const statuses = await Promise.all(
          [owner, 'employee' as const].map(
            async (person) => (await stage.send(one.call, person, theirs)).status,
          ),
        );
        expect(statuses).toContain(200);
        await stage.restore();
      },
    );
  });

  it('would be noticed in a notification', async () => {
    const { database } = stage.app;
    await openRequestStage(stage.app).sendAndReceive('individual2', paidService);
    const before = await readAll();
    const { numAffectedRows } = await sql`
      update notifications
      set read_at = now()
      where id = (select max(id) from notifications)`.execute(database);
    expect(numAffectedRows).toBe(1n);
    expect(await readAll()).not.toEqual(before);
  });

  const callOf = (name: string) => allCalls.find((call) => call.name === name) as Call;

  it('is like an unknown one among the documents of a correction', async () => {
    const requests = openRequestStage(stage.app);
    const own = await requests.sendAndReceive('individual2', paidService);
    expect(
      (
        await requests.performAction('employee', returnRequest, {
          requestId: own.requestId,
          requestHistoryRejectionReasonsList: [1],
          ...messageTexts,
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

  it('is like an unknown one among the results of a request that is completed', async () => {
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
