// After the caller is known, sending a request and acting on one take few round trips to the
// database, and each is one transaction.

import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it, vi } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { openNotifier } from '#features/messages/notifications.actions.ts';
import { openCatalogue } from '#features/services/services.actions.ts';
import { openWorkflows } from '#features/workflow/workflows.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { createFileReferences } from '#platform/auth/file-references.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { findDemoCallers } from '#seed/demo-callers.ts';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '#testing/requests/request-stage.ts';
import { countRoundTrips } from '#testing/round-trips.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { StaffAction } from '@diwan/contract/requests/actions';
import type { RequestsContext } from '../model/requests-context.ts';
import {
  actAndOpen,
  openRecord,
  type OpenRecordContext,
} from '../record/request-record.actions.ts';
import { markPaid } from '../requests.actions.ts';
import { staffActionOf } from '../staff-actions/staff-actions.ts';
import { createRequest } from './create-request.actions.ts';
import { ensureForm } from './create-request.store.ts';
import { performAction, type ActionTarget } from './perform.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);
let context: RequestsContext;
let callers: Map<string, Caller>;

const callerOf = (username: string): Caller => callers.get(username) as Caller;

const perform = (
  caller: Caller,
  target: ActionTarget,
  action: StaffAction,
  { body = {}, acting = context }: { body?: object; acting?: RequestsContext } = {},
): Promise<void> => {
  const { read, prepare } = staffActionOf(action);
  return performAction(acting, caller, target, { action, sent: read(body), prepare });
};

beforeAll(async () => {
  callers = (await findDemoCallers(app.database)) as Map<string, Caller>;
  context = {
    database: app.serverDatabase,
    catalogue: await openCatalogue(app.database),
    workflow: await openWorkflows(app.database, app.config),
    calendars: await openCalendars(app.database),
    notifier: await openNotifier(app.config, 'http://localhost:3000', (number) => number),
    references: createFileReferences(() => [randomBytes(32).toString('base64url')], 60),
    rates: { feeVatRate: 500, finesGatewayFeeRate: 0 },
    maximumFiles: 20,
    maximumPerDay: 100,
    legal: { inForce: () => undefined },
    fourEyes: true,
    fines: {
      database: app.database,
      register: { find: async () => [], settle: async () => 'settled' },
      warn: () => undefined,
    },
    now: () => new Date(),
    announce: () => undefined,
  } as Partial<RequestsContext> as RequestsContext;
});

async function findServiceWithoutDocuments() {
  const { id } = await app.database
    .selectFrom('services')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`
        eligibility = '[]' and not jsonb_path_exists(attachments, '$[*] ? (@.required == true)')
      `,
    )
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await context.catalogue.refresh();
  return { id, ...(await context.catalogue.getDetails(id)) };
}

/** The first use of a form in a process, which reads and stores it. */
const useForm = async (serviceId: number) =>
  ensureForm(context.database, {
    serviceId,
    ...(await context.catalogue.getDetails(serviceId)),
  });

/** The round trips of a piece of work, which is one transaction. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const { statements, trips } = await countRoundTrips(work);
  expect([statements[0], statements.at(-1)]).toEqual(['begin', 'commit']);
  expect(statements.filter((text) => /^(begin|commit|rollback)$/.test(text))).toHaveLength(2);
  return trips;
}

it.each([
  ['individual', freeService, {}],
  ['individual', paidService, { draftId: crypto.randomUUID(), referralCode: 'DEMO-PALM' }],
  ['company', freeService, { draftId: crypto.randomUUID(), referralCode: 'demo-once' }],
])('%s sends a request for %s in two', async (username, name, more) => {
  const service = await stage.findService(name);
  const sent = {
    serviceId: service.id,
    answers: makeAnswers(service.form),
    attachmentIds: await uploadRequiredDocuments(app, await app.signIn(username), service),
    hasAgreed: true,
    ...more,
  };
  expect(sent.attachmentIds.length).toBeGreaterThan(0);
  await useForm(service.id);
  expect(await tripsOf(() => createRequest(context, callerOf(username), sent))).toBe(2);
});

it('a request that locks nothing is one transaction of its last trip', async () => {
  const { id, form } = await findServiceWithoutDocuments();
  const sent = { serviceId: id, answers: makeAnswers(form), attachmentIds: [], hasAgreed: true };
  await useForm(id);
  const send = () =>
    countRoundTrips(() => createRequest(context, callerOf('individual'), sent)).then(
      ({ statements, trips }) => [trips, statements.map((text) => text.split(/\s/)[0])],
    );
  // The applicant receives messages, which take a separate statement.
  expect(await send()).toEqual([2, ['select', 'begin', 'with', 'insert', 'commit']]);
  await app.database
    .updateTable('users')
    .set({ email_verified_at: null, phone_verified_at: null })
    .where('username', '=', 'individual')
    .execute();
  expect(await send()).toEqual([2, ['select', 'with']]);
});

it('requests that arrive together are read by one statement, each with its own facts', async () => {
  const { id, form } = await findServiceWithoutDocuments();
  const sent = { serviceId: id, answers: makeAnswers(form), attachmentIds: [], hasAgreed: true };
  await createRequest(context, callerOf('individual'), sent);
  const send = (username: string, maximumPerDay: number) =>
    createRequest({ ...context, maximumPerDay }, callerOf(username), sent).then(
      () => 'sent',
      (error: Error) => error.message,
    );
  let results: string[] = [];
  const { statements } = await countRoundTrips(async () => {
    results = await Promise.all([
      send('individual', 1),
      send('company', 100),
      send('individual', 100),
    ]);
  });
  expect(results).toEqual(['TooManyRequests', 'sent', 'sent']);
  expect(statements.filter((text) => /^\s*select/.test(text))).toHaveLength(1);
});

it('a request stores the form that its answers were checked by', async () => {
  const { id, form } = await findServiceWithoutDocuments();
  const old = await openCatalogue(app.database);
  await old.getDetails(id);
  const sent = { serviceId: id, answers: makeAnswers(form), attachmentIds: [], hasAgreed: true };
  const send = () => createRequest({ ...context, catalogue: old }, callerOf('individual'), sent);
  const renamed = structuredClone(form);
  const [field] = renamed.steps[0]?.fields ?? [];
  if (field) field.title = { 'ar-EG': 'جديد', 'en-US': 'New', 'ur-PK': 'نیا' };
  const update = (columns: { form?: string; deleted_at?: Date }) =>
    app.database.updateTable('services').set(columns).where('id', '=', id).execute();
  const formIdOf = async (requestId: number) =>
    (
      await app.database
        .selectFrom('requests')
        .select('form_id')
        .where('id', '=', requestId)
        .executeTakeFirstOrThrow()
    ).form_id;
  const before = await formIdOf((await send()).id);
  expect(await formIdOf((await send()).id)).toBe(before);
  await update({ form: JSON.stringify(renamed) });
  const { id: requestId } = await send();
  expect(await formIdOf(requestId)).not.toBe(before);
  const stored = await app.database
    .selectFrom('requests')
    .innerJoin('forms', 'forms.id', 'form_id')
    .select(['forms.content as form', 'forms.attachment_rules', 'evidence_rules'])
    .where('requests.id', '=', requestId)
    .executeTakeFirstOrThrow();
  const newer = await old.getDetails(id);
  expect(stored).toEqual({
    form: renamed,
    attachment_rules: newer.attachments,
    evidence_rules: null,
  });
  expect(newer.form).toEqual(renamed);
  await update({ form: JSON.stringify(form) });
  expect(await formIdOf((await send()).id)).toBe(before);
  await update({ deleted_at: new Date() });
  await expect(send()).rejects.toThrow('ServiceNotFound');
});

it('staff act in two, and in three where more is read', async () => {
  const [employee, supervisor] = [callerOf('employee'), callerOf('supervisor2')];
  const { requestId } = await stage.send('individual', freeService);
  const target = { requestId };
  const reason = { ...messageTexts, requestHistoryRejectionReasonId: 1 };
  const reasons = { ...messageTexts, requestHistoryRejectionReasonsList: [1] };
  const act = (...performed: Parameters<typeof perform>) => tripsOf(() => perform(...performed));
  expect({
    receive: await act(employee, target, 'receive'),
    release: await act(employee, target, 'release'),
    receiveAgain: await act(employee, target, 'receive'),
    approve: await act(employee, target, 'approve'),
    accept: await act(supervisor, target, 'accept'),
    return: await act(supervisor, target, 'return', { body: reasons }),
  }).toEqual({ receive: 2, release: 2, receiveAgain: 2, approve: 2, accept: 2, return: 3 });

  const second = await stage.sendAndApprove('individual', freeService);
  expect(await act(supervisor, second, 'reject', { body: reason })).toBe(3);
  const third = await stage.sendAndReceive('individual', freeService);
  expect(await act(employee, third, 'submitted')).toBe(2);
});

it('the record is read and its access recorded by one statement', async () => {
  const { requestId } = await stage.send('individual', freeService);
  const opening = { ...context, links: { make: () => '' }, accessLogMinutes: 5 };
  const { result, trips, statements } = await countRoundTrips(() =>
    openRecord(opening as never, callerOf('employee'), requestId, 'en-US'),
  );
  expect([result.requestId, result.history.length, trips]).toEqual([requestId, 1, 1]);
  expect(statements).toEqual([expect.stringContaining('insert into request_reads')]);
});

it('an action and its record take two, also when the action is repeated', async () => {
  const { requestId } = await stage.send('individual', freeService);
  const opening = { ...context, links: { make: () => '' }, accessLogMinutes: 5 };
  const employee = callerOf('employee');
  const receive = () =>
    countRoundTrips(() =>
      actAndOpen(
        opening as unknown as OpenRecordContext,
        employee,
        { requestId, language: 'en-US' },
        (acting) => perform(employee, { requestId, version: 1 }, 'receive', { acting }),
      ),
    );
  const { result, trips, statements } = await receive();
  expect([result.version, result.history.length, trips]).toEqual([2, 2, 2]);
  // Begin, the lock, the facts, the step, the record with the access, commit.
  expect([statements.length, statements.at(-1)]).toEqual([6, 'commit']);
  // Links of documents name the second in which they end.
  const withoutLinks = (record: unknown) =>
    JSON.stringify(record).replaceAll(/"filePath":"[^"]*"/g, '');
  expect(withoutLinks((await receive()).result)).toBe(withoutLinks(result));
  const reads = app.database.selectFrom('request_reads').select('id');
  expect(await reads.where('request_id', '=', requestId).execute()).toHaveLength(1);
});

it('a payment is booked by the workflows that everything else asks', async () => {
  const { requestId } = await stage.send('individual', paidService);
  const get = vi.fn<RequestsContext['workflow']['get']>((...given) =>
    context.workflow.get(...given),
  );
  const statements = await inTransaction(app.serverDatabase, async (transaction) => {
    const counted = await countRoundTrips(() =>
      markPaid({ ...context, workflow: { get } }, transaction, requestId),
    );
    expect(counted.result).toBe(false);
    return counted.statements;
  });
  expect(get).toHaveBeenCalledOnce();
  // Begin, the lock, the facts.
  expect(statements).toHaveLength(3);
});

it('a taken number is replaced by a free one', async () => {
  const { requestNumber } = await stage.send('individual', freeService);
  await sql`create sequence attempts`.execute(app.database);
  await sql`grant usage on attempts to public`.execute(app.database);
  await sql
    .raw(
      `create function take_number() returns trigger language plpgsql as $$
      begin
        if nextval('attempts') <= 2 then
          new.number = '${requestNumber}';
        end if;
        return new;
      end $$;
      create trigger take_number before insert on requests
        for each row execute function take_number()`,
    )
    .execute(app.database);
  const sent = await stage.send('individual', freeService);
  expect(sent.requestNumber).not.toBe(requestNumber);
  expect((await sql`select nextval('attempts')::int as n`.execute(app.database)).rows).toEqual([
    { n: 4 },
  ]);
  const { body } = await stage.read('individual', sent.requestId);
  expect([body.requestNumber, body.history.length]).toEqual([sent.requestNumber, 1]);
});
