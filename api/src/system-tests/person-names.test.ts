import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import {
  freeService,
  messageTexts,
  openRequestStage,
  sayWhy,
} from '#testing/requests/request-stage.ts';
import { listMessagesTo, waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Answer } from '#testing/test-app.ts';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import * as designs from '@diwan/contract/catalogue/service-designs';
import { getLedgerClosings } from '@diwan/contract/payments/closings';
import { getPaymentCases, getPaymentTimeline, getRefunds } from '@diwan/contract/payments/events';
import { getJournal } from '@diwan/contract/payments/journal';
import { getLedgerDays, getSettlementDifferences } from '@diwan/contract/payments/ledger';
import { getPayouts } from '@diwan/contract/payments/payouts';
import { getSettlementFiles } from '@diwan/contract/payments/settlement-files';
import { beginActing, findPerson, sendActingCode } from '@diwan/contract/people/acting';
import { getAuditEvents } from '@diwan/contract/people/audit';
import { getChanges } from '@diwan/contract/people/changes';
import {
  getCompanyById,
  getCompanyUsers,
  inviteCompanyUser,
} from '@diwan/contract/people/companies';
import { getPartnerById } from '@diwan/contract/people/partner-registration';
import { getAllServiceProviders } from '@diwan/contract/people/partners';
import { getSnippets, saveSnippet } from '@diwan/contract/people/snippets';
import { getAuditLog } from '@diwan/contract/portal/audit-log';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import { getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { getAllAttachments } from '@diwan/contract/requests/attachments';
import { getFigureGroups } from '@diwan/contract/requests/reports';
import {
  approveRequest,
  createRequest,
  receiveRequest,
} from '@diwan/contract/requests/request-actions';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import { findAnything, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById, getRequestViewers } from '@diwan/contract/requests/requests';
import { getWorkflowDraft, getWorkflows } from '@diwan/contract/requests/workflows';
import { getRequestReads } from '@diwan/contract/staff/access-log';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import { getStaffInvitations, inviteStaff } from '@diwan/contract/staff/staff-invitations';
import { endUserSessions } from '@diwan/contract/staff/user-administration';
import type { Call } from '@diwan/contract/wire/call';

const app = useTestApp();
const stage = openRequestStage(app);
const languages = ['ar-EG', 'ur-PK'] as const;

const readPeople = () =>
  app.database
    .selectFrom('users')
    .select(['id', 'username', 'full_name', 'full_name_ar', 'partner_id', 'company_id'])
    .where('full_name_ar', 'is not', null)
    .execute();
const readRequests = () =>
  app.database.selectFrom('requests').select(['id', 'service_id']).orderBy('id').execute();

/** Each reply names somebody, in Arabic letters alone. */
async function expectArabicNames(
  language: string,
  replies: Record<string, Answer<Call>>,
  expectedStatus = 200,
): Promise<void> {
  const people = await readPeople();
  for (const [name, { status, body }] of Object.entries(replies)) {
    expect(status, name).toBe(expectedStatus);
    // What the applicant typed stays as it is.
    const text = JSON.stringify(body, (key, value: unknown) =>
      ['applicantName', 'answers'].includes(key) ? undefined : value,
    );
    const named = people.filter((each) => text.includes(each.full_name_ar ?? ''));
    expect(named.length, `${name} names somebody`).toBeGreaterThan(0);
    const bare = people.filter((each) => text.includes(each.full_name));
    const around = ({ full_name: latin }: { full_name: string }) =>
      text.slice(Math.max(0, text.indexOf(latin) - 40), text.indexOf(latin) + latin.length);
    expect(bare.map(around), `${name} in ${language}`).toEqual([]);
  }
}

it('replies about requests and people name them in Arabic letters in Arabic and Urdu', async () => {
  const people = await readPeople();
  const personOf = (username: string) => people.find((each) => each.username === username)!;
  const { requestId, requestNumber } = await stage.sendAndReceive('company', freeService);
  const [agency] = (await app.callAs('admin', getAgencyRecords)).body;
  const { id, version, name } = agency!;
  await app.callAs('admin', saveAgency, {
    body: { id, version, name: { ...name, 'en-US': `${name['en-US']} (new)` } },
  });
  await stage.performAction('employee', approveRequest, { requestId });
  const given = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', reassignRequest, {
    requestId: given.requestId,
    version: 2,
    holderId: personOf('employee2').id,
  });
  const held = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', approveRequest, {
    requestId: held.requestId,
    version: 2,
    isUndoable: true,
  });
  await app.database
    .updateTable('held_actions')
    .set({ acts_at: new Date(Date.now() + 600_000) })
    .where('request_id', '=', held.requestId)
    .execute();
  await app.database
    .insertInto('request_viewers')
    .values({
      connection_id: randomUUID(),
      request_id: requestId,
      user_id: personOf('employee2').id,
      seen_at: new Date(Date.now() + 600_000),
    })
    .execute();
  await app.callAs('employee', saveSnippet, {
    body: { name: 'Greeting', isShared: true, ...messageTexts },
  });
  for (const language of languages) {
    await expectArabicNames(language, {
      record: await app.callAs('employee', getRequestById, {
        query: { RequestId: requestId },
        language,
      }),
      reassigned: await app.callAs('employee', getRequestById, {
        query: { RequestId: given.requestId },
        language,
      }),
      list: await app.callAs('admin', getRequestsByStatusId, {
        query: { SearchKeyword: requestNumber },
        language,
      }),
      notifications: await app.callAs('supervisor2', getNotifications, { query: {}, language }),
      reads: await app.callAs('admin', getRequestReads, {
        query: { RequestId: requestId },
        language,
      }),
      viewers: await app.callAs('employee', getRequestViewers, {
        query: { RequestId: requestId },
        language,
      }),
      colleagues: await app.callAs('employee', getColleagues, { language }),
      snippets: await app.callAs('employee2', getSnippets, { language }),
      files: await app.callAs('admin', getAllAttachments, { query: {}, language }),
      found: await app.callAs('admin', findAnything, { query: { Text: 'employee' }, language }),
      figures: await app.callAs('admin', getFigureGroups, {
        query: { By: 'employee' },
        language,
      }),
      supervisors: await app.callAs('admin', getAllServiceProviders, { query: {}, language }),
      partner: await app.callAs('admin', getPartnerById, {
        query: { PartnerId: personOf('supervisor').partner_id! },
        language,
      }),
      company: await app.callAs('admin', getCompanyById, {
        query: { CompanyId: personOf('company').company_id! },
        language,
      }),
      companyUsers: await app.callAs('company', getCompanyUsers, { language }),
      events: await app.callAs('admin', getAuditEvents, { query: {}, language }),
      changes: await app.callAs('admin', getChanges, { query: {}, language }),
      log: await app.callAs('auditor', getAuditLog, { query: {}, language }),
    });
    const again = { params: { requestId: held.requestId }, language };
    const refused = { held: await app.callAs('employee2', receiveRequest, again) };
    await expectArabicNames(language, refused, 400);
  }
}, 60_000);

it('replies about money and settings name people in Arabic letters in Arabic and Urdu', async () => {
  const [admin, finance] = await Promise.all(['admin', 'finance'].map((each) => app.idOf(each)));
  const { database } = app;
  const [request] = await readRequests();
  const payment = await database
    .selectFrom('payments')
    .select(['id', 'merchant_reference', 'provider'])
    .where('status', '=', 'paid')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const provider = payment.provider;
  const day = '2020-01-01';
  await sql`
    insert into refunds
      (payment_id, request_id, amount, currency, reason, state, idempotency_key, requested_by, decided_by)
    select id, request_id, 100, 'AED', 'requested', 'refused', 'names', ${finance}, ${admin}
    from payments
    where id = ${payment.id}`.execute(database);
  await sql`
    insert into payment_cases
      (kind, cause, payment_id, merchant_reference, provider, amount, decision, decided_by, decided_at)
    select 'unexpectedAmount', 'names', id, merchant_reference, provider, 100, 'accept', ${finance}, now()
    from payments
    where id = ${payment.id}`.execute(database);
  await sql`
    insert into payouts
      (provider, amount, currency, reference, paid_on, state, requested_by, decided_by)
    values (${provider}, 100, 'AED', 'names', ${day}, 'booked', ${finance}, ${admin})`.execute(
    database,
  );
  await sql`
    with entry as (
      insert into ledger_entries (kind, source, day, currency, occurred_at, posted_by)
      values ('correction', 'names', ${day}, 'AED', ${day}::timestamptz, ${finance})
      returning id
    )
    insert into ledger_lines (entry_id, account, amount)
    select id, account, amount
    from entry
    cross join (values ('bank', 1), ('differences', -1)) as line (account, amount)`.execute(
    database,
  );
  await sql`
    insert into ledger_closings (from_day, until_day, state, asked_by, decided_by, decided_at)
    values (${day}, ${day}, 'refused', ${finance}, ${admin}, now())`.execute(database);
  await sql`
    insert into settlement_files (provider, day, digest, lines, imported_by)
    values (${provider}, ${day}, 'names', 1, ${finance})`.execute(database);
  await sql`
    insert into settlement_differences
      (kind, provider, day, file_id, currency, state, proposed_by, decided_by, decided_at)
    select 'otherDay', provider, day, id, 'AED', 'resolved', ${finance}, ${admin}, now()
    from settlement_files`.execute(database);
  await sql`
    insert into ledger_days (day, totals, entries, closed_by)
    values (${day}, '[]', 1, ${finance})`.execute(database);
  await sql`
    insert into held_actions
      (request_id, user_id, action, version, is_silent, sent, acts_at, added, waits_for_second)
    values (${request!.id}, ${admin}, 'approve', 1, false, '{}', now() + interval '1 hour', 100, true)
  `.execute(database);
  await sql`
    insert into role_changes (kind, asked_by)
    values ('confirmationOff', ${admin})`.execute(database);
  await sql`
    insert into workflow_choices (workflow_id, chosen_by)
    select min(id), ${admin}
    from workflows`.execute(database);
  await sql`
    insert into workflow_drafts (service_id, document, updated_by)
    select null, document, ${admin}
    from workflows
    order by id
    limit 1`.execute(database);
  const serviceId = request!.service_id;
  const { document } = (
    await app.callAs('admin', designs.getServiceDesign, { query: { serviceId } })
  ).body;
  const save = { serviceId, version: 0, document: JSON.stringify(document) };
  await app.callAs('admin', designs.saveServiceDraft, { body: save });
  await sql`
    insert into waiting_publications (service_id, draft_version, asked_by)
    values (${serviceId}, 1, ${admin})`.execute(database);
  await sql`
    insert into service_versions (service_id, number, document, origin, published_by)
    values (${serviceId}, 900, ${JSON.stringify(document)}, 'designer', ${admin})`.execute(
    database,
  );
  await app.callAs('admin', inviteStaff, {
    body: { email: 'new.clerk@example.com', fullName: 'New Clerk', roles: ['Employee'] },
  });
  for (const language of languages) {
    const about = { query: {}, language };
    const ofService = { query: { serviceId }, language };
    await expectArabicNames(language, {
      refunds: await app.callAs('finance', getRefunds, about),
      payouts: await app.callAs('finance', getPayouts, about),
      cases: await app.callAs('finance', getPaymentCases, {
        query: { State: 'decided' },
        language,
      }),
      timeline: await app.callAs('finance', getPaymentTimeline, {
        query: { MerchantReference: payment.merchant_reference },
        language,
      }),
      journal: await app.callAs('finance', getJournal, {
        query: { From: day, Until: day },
        language,
      }),
      closings: await app.callAs('finance', getLedgerClosings, about),
      days: await app.callAs('finance', getLedgerDays, { query: { Take: 100 }, language }),
      settlement: await app.callAs('finance', getSettlementFiles, about),
      differences: await app.callAs('finance', getSettlementDifferences, {
        query: { State: 'resolved' },
        language,
      }),
      charges: await app.callAs('finance', getWaitingCharges, { language }),
      invitations: await app.callAs('admin', getStaffInvitations, { language }),
      roles: await app.callAs('admin', getRoleConfirmation, { language }),
      workflows: await app.callAs('admin', getWorkflows, { language }),
      workflowDraft: await app.callAs('admin', getWorkflowDraft, about),
      drafts: await app.callAs('admin', designs.getServiceDesigns, { language }),
      design: await app.callAs('admin', designs.getServiceDesign, ofService),
      versions: await app.callAs('admin', designs.getServiceVersions, ofService),
      waiting: await app.callAs('admin', designs.getWaitingPublications, { language }),
    });
  }
}, 60_000);

it('messages and records name who wrote, acted and decided in Arabic letters', async () => {
  const language = 'ar-EG';
  const [employee, employee2, admin, individual] = await Promise.all(
    ['employee', 'employee2', 'admin', 'individual'].map(async (username) => {
      const people = await readPeople();
      return people.find((each) => each.username === username)!;
    }),
  );
  const newest = async (recipient: string, count: number) =>
    (await waitForMessageTo(app, recipient, count)).body;

  // The mail to the colleague who gets a request.
  const { requestId } = await stage.sendAndReceive('individual', freeService);
  await stage.performAction('employee', reassignRequest, {
    requestId,
    version: 2,
    holderId: employee2!.id,
  });
  const mails = await app.database
    .selectFrom('messages')
    .select('body')
    .where('user_id', '=', employee2!.id)
    .where('kind', '=', 'request')
    .execute();
  expect(mails.at(-1)?.body).toContain(employee!.full_name_ar);

  // The person at a counter, the code, and what the employee sends for the person.
  const phone = '+971500000008';
  const token = await app.signIn('employee');
  const found = await app.call(findPerson, { token, body: { name: 'individual' }, language });
  const initials = individual!.full_name_ar!.split(' ').map((part) => `${part[0]}***`);
  expect(found.body.fullName).toBe(initials.join(' '));
  const before = (await listMessagesTo(app, phone)).length;
  const asked = { name: 'individual', channel: 'sms' } as const;
  await app.call(sendActingCode, { token, body: asked, language });
  const code = await newest(phone, before + 1);
  expect(code).toContain(employee!.full_name_ar);
  const { body: acting } = await app.call(beginActing, {
    token,
    body: { ...asked, code: /\b\d{6}\b/.exec(code)![0] },
    language,
  });
  expect(await newest(phone, before + 2)).toContain(employee!.full_name_ar);
  const service = await stage.findService(freeService);
  const { body: sent } = await app.call(createRequest, {
    token: acting.token,
    body: {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds: await uploadRequiredDocuments(app, acting.token, service),
      agreeToTermsAndConditions: true,
    },
  });
  const readAs = async (id: number) => {
    await sayWhy(app, 'admin', id);
    return (await app.callAs('admin', getRequestById, { query: { RequestId: id }, language })).body;
  };
  expect((await readAs(sent.requestId)).sentBy?.actedFor.name).toBe(individual!.full_name_ar);

  // Invitations.
  await app.callAs('admin', inviteStaff, {
    body: { email: 'clerk.in.arabic@example.com', fullName: 'A Clerk', roles: ['Employee'] },
    language,
  });
  expect(await newest('clerk.in.arabic@example.com', 1)).toContain(admin!.full_name_ar);
  const company = (await readPeople()).find(({ username }) => username === 'company');
  await app.callAs('company', inviteCompanyUser, {
    body: { email: 'colleague.in.arabic@example.com' },
    language,
  });
  expect(await newest('colleague.in.arabic@example.com', 1)).toContain(company!.full_name_ar);

  // Who caused an event, recorded a refund and revoked a certificate.
  await app.signIn('auditor');
  await app.callAs('admin', endUserSessions, { body: { userId: await app.idOf('auditor') } });
  const events = (await app.callAs('admin', getAuditEvents, { query: {}, language })).body.items;
  expect(events.find(({ kind }) => kind === 'sessionEnded')?.by).toBe(admin!.full_name_ar);
  expect(events.find(({ kind }) => kind === 'actingCodeSent')?.by).toBe(employee!.full_name_ar);
  await sql`
    update requests
    set refundable = 100
    where id = ${requestId}`.execute(app.database);
  const recorded = await app.callAs('admin', recordRefund, {
    body: { requestId, amount: 100, reference: 'names' },
    language,
  });
  expect(recorded.body.refunds[0]?.recordedBy).toBe(admin!.full_name_ar);
  expect((await readAs(requestId)).refund?.refunds[0]?.recordedBy).toBe(admin!.full_name_ar);
}, 60_000);
