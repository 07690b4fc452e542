import { describe, expect, it } from 'vitest';
import { readCatalogueVersion, readServiceDetails } from '#features/services/services.store.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { countLockWaits } from '#testing/lock-waits.ts';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getLegalPage } from '@diwan/contract/content/legal-pages';
import { saveText } from '@diwan/contract/content/texts';
import { checkReferralCodeValidity } from '@diwan/contract/payments/referral-codes';
import { createAttachment } from '@diwan/contract/requests/attachments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { storeServiceForm } from './create-request.store.ts';

const app = useTestApp();
const stage = openRequestStage(app);

describe('CreateRequest', () => {
  it('starts with the payment, with the form, rules and price of today, and a first history entry', async () => {
    const service = await stage.findService(paidService);
    const sent = await stage.send('individual', paidService, {
      applicantMobile: '٠٥٠ ١١١ ٢٢٣٣',
      applicantName: 'ليلى آل ديمو',
    });
    expect(sent.requestNumber).toMatch(/^DW\d{2}-\d{5}-\d{5}$/);
    const { body } = await stage.read('individual', sent.requestId);
    expect(body).toMatchObject({
      requestNumber: sent.requestNumber,
      serviceId: service.id,
      serviceName: service.name,
      statusName: 'Waiting for payment',
      statusTone: 'waiting',
      version: 1,
      total: service.total,
      applicantName: 'ليلى آل ديمو',
      allowedActions: ['pay', 'withdraw'],
      form: service.form,
      attachmentRules: service.attachments,
      fees: service.fees,
      payments: [],
      replacedName: paidService,
    });
    expect(body.answers.applicantMobile).toBe('+971501112233');
    expect(body.attachments.map((attachment) => attachment.attachmentId).sort()).toEqual(
      [...sent.attachmentIds].sort(),
    );
    expect(body.history).toMatchObject([
      {
        action: 'create',
        actorKind: 'you',
        statusName: 'Waiting for payment',
        reasons: [],
        message: '',
      },
    ]);
    expect(body.history[0]).not.toHaveProperty('fromStatusName');
  });

  it('starts as new when the service is free', async () => {
    const { requestId } = await stage.send('individual', freeService);
    const { body } = await stage.read('individual', requestId);
    expect(body).toMatchObject({
      statusName: 'Received, waiting for review',
      total: 0,
      allowedActions: ['withdraw'],
    });
  });

  it('names the legal texts that were in force, to its owner and to staff, also after a change', async () => {
    const inForce = async () => {
      const texts = (['terms', 'privacy'] as const).map(async (Page) => {
        const { body } = await app.call(getLegalPage, { query: { Page } });
        return { page: Page, id: body.id, publishedAt: body.changedAt };
      });
      return Promise.all(texts);
    };
    const before = await inForce();
    const { requestId } = await stage.send('individual', freeService);
    const saved = await app.callAs('admin', saveText, {
      body: {
        noun: 'legal',
        key: 'terms.use.text',
        version: 0,
        texts: [{ language: 'en-US', form: '', text: 'Other terms.' }],
      },
    });
    expect(saved.status).toBe(200);
    await expect
      .poll(async () => (await inForce())[0]?.id, { timeout: 5000 })
      .not.toBe(before[0]?.id);
    for (const reader of ['individual', 'employee'] as const)
      expect((await stage.read(reader, requestId)).body.sentUnder).toEqual(before);
    const later = await stage.send('individual', freeService);
    expect((await stage.read('individual', later.requestId)).body.sentUnder).toEqual(
      await inForce(),
    );
  });

  it('belongs to the company of a company user', async () => {
    const { requestId } = await stage.send('company', freeService);
    const row = await app.database
      .selectFrom('requests')
      .innerJoin('users', 'users.id', 'requests.user_id')
      .select(['requests.company_id', 'users.company_id as own'])
      .where('requests.id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(row.company_id).toBe(row.own);
    expect(row.company_id).not.toBeNull();
  });

  it('accepts the first request of a new form while another one stores that form', async () => {
    const { id: serviceId, form } = await stage.findService(freeService);
    const renamed = structuredClone(form);
    const [field] = renamed.steps[0]?.fields ?? [];
    if (field) field.title = { ...field.title, 'en-US': 'A new title' };
    await app.database
      .updateTable('services')
      .set({ form: JSON.stringify(renamed) })
      .where('id', '=', serviceId)
      .execute();
    const version = await readCatalogueVersion(app.database);
    const details = await readServiceDetails(app.database, serviceId, version);
    const formHash = details?.formHash ?? '';
    const { formId, second } = await inTransaction(app.database, async (first) => {
      const stored = await storeServiceForm(first, { serviceId, version, formHash });
      const sent = stage.send('individual', freeService);
      let isOver = false;
      void sent.finally(() => (isOver = true));
      await expect.poll(async () => isOver || (await countLockWaits(app.database))).not.toBe(0);
      expect(isOver).toBe(false);
      return { formId: stored, second: sent };
    });
    const { requestId } = await second;
    const row = await app.database
      .selectFrom('requests')
      .innerJoin('forms', 'forms.id', 'form_id')
      .select(['form_id', 'content'])
      .where('requests.id', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ form_id: formId, content: renamed });
  });

  it('stores a form again that the database has lost since', async () => {
    const formOf = async ({ requestId }: { requestId: number }) =>
      app.database
        .selectFrom('requests')
        .innerJoin('forms', 'forms.id', 'form_id')
        .select(['forms.id', 'hash'])
        .where('requests.id', '=', requestId)
        .executeTakeFirstOrThrow();
    const before = await formOf(await stage.send('individual', freeService));
    await inTransaction(app.database, async (transaction) => {
      await sql`alter table forms disable trigger user`.execute(transaction);
      await sql`update forms set hash = hash || '-lost' where id = ${before.id}`.execute(
        transaction,
      );
      await sql`alter table forms enable trigger user`.execute(transaction);
    });
    const after = await formOf(await stage.send('individual', freeService));
    expect(after.hash).toBe(before.hash);
    expect(after.id).not.toBe(before.id);
  });

  it('stores no answer that the form does not ask for', async () => {
    const { requestId } = await stage.send('individual', freeService, {
      complaintSubject: 'other',
      claimAmount: 5000,
    });
    expect((await stage.read('individual', requestId)).body.answers).not.toHaveProperty(
      'claimAmount',
    );
  });

  it('refuses invalid content by field and stores nothing', async () => {
    const service = await stage.findService(freeService);
    const { count: before } = await app.database
      .selectFrom('requests')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const answers = {
      ...makeAnswers(service.form),
      applicantMobile: '12',
      complaintDetails: '   ',
      nonsense: 'x',
    };
    const { status, refused } = await stage.create('individual', {
      serviceId: service.id,
      answers,
      attachmentIds: [],
      agreeToTermsAndConditions: true,
    });
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {}).sort()).toEqual([
      'answers.applicantMobile',
      'answers.complaintDetails',
      'answers.nonsense',
      'attachments.identityDocument',
    ]);
    const { count: after } = await app.database
      .selectFrom('requests')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(after).toBe(before);
  });

  it('refuses documents of others or other services, in use, not uploaded, or too many', async () => {
    const service = await stage.findService(freeService);
    const [mine = ''] = await uploadRequiredDocuments(app, await app.signIn('individual'), service);
    const [second = ''] = await uploadRequiredDocuments(
      app,
      await app.signIn('individual'),
      service,
    );
    const [theirs = ''] = await uploadRequiredDocuments(
      app,
      await app.signIn('individual2'),
      service,
    );
    const other = await stage.findService(paidService);
    const [ofOther = ''] = await uploadRequiredDocuments(
      app,
      await app.signIn('individual'),
      other,
    );
    const announced = (
      await app.callAs('individual', createAttachment, {
        body: {
          serviceId: service.id,
          name: 'evidence',
          fileName: 'a.pdf',
          mediaType: 'application/pdf',
          size: 10,
        },
      })
    ).body.attachmentId;
    const bound = (await stage.send('individual', freeService)).attachmentIds[0] ?? '';
    const unknown = '7c0f0c56-0000-4000-8000-000000000000';
    const sendWith = async (attachmentIds: string[]) =>
      (
        await stage.create('individual', {
          serviceId: service.id,
          answers: makeAnswers(service.form),
          attachmentIds,
          agreeToTermsAndConditions: true,
        })
      ).refused.errors;
    for (const id of [theirs, ofOther, announced, bound, unknown])
      expect(Object.keys((await sendWith([mine, id])) ?? {})).toEqual(['attachments']);
    expect(Object.keys((await sendWith([mine, second])) ?? {})).toEqual([
      'attachments.identityDocument',
    ]);
    expect(Object.keys((await sendWith([])) ?? {})).toEqual(['attachments.identityDocument']);
    expect(await sendWith([mine, mine])).toBeUndefined();
  });

  it('gives a document to one of the requests that claim it at the same time', async () => {
    const service = await stage.findService(freeService);
    const attachmentIds = await uploadRequiredDocuments(
      app,
      await app.signIn('individual'),
      service,
    );
    const body = {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => stage.create('individual', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it('refuses requests without agreement to the terms, and unknown services', async () => {
    const service = await stage.findService(freeService);
    const body = {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds: [],
      agreeToTermsAndConditions: false,
    };
    expect((await stage.create('individual', body)).refused.error).toBe('TermsNotAccepted');
    for (const serviceId of [999_999, 2 ** 31 - 1])
      expect((await stage.create('individual', { ...body, serviceId })).refused.error).toBe(
        'ServiceNotFound',
      );
  });

  it('is for applicants', async () => {
    const body = { serviceId: 1, answers: {}, attachmentIds: [], agreeToTermsAndConditions: true };
    for (const username of ['employee', 'supervisor', 'admin'])
      expect((await stage.create(username, body)).status).toBe(403);
    expect((await app.call(createRequest, { body })).status).toBe(401);
  });
});

describe('referral codes', () => {
  const check = async (refferalCode: string) =>
    (await app.call(checkReferralCodeValidity, { query: { refferalCode }, language: 'en-US' }))
      .body;

  it('are valid in their period while uses are left, in every spelling', async () => {
    for (const typed of ['DEMO-PALM', ' demo-palm ', 'demo palm'])
      expect(await check(typed), typed).toEqual({
        isValid: true,
        name: 'Palm service centre (demo)',
      });
    for (const typed of ['DEMO-ENDED', 'NONE', '%', 'DEMO', '‮DEMO-ENDED'])
      expect(await check(typed), typed).toEqual({ isValid: false });
    expect(
      (await app.call(checkReferralCodeValidity, { query: { refferalCode: ' ' } })).status,
    ).toBe(400);
  });

  it('are stored with the request, and the last use is claimed once by concurrent requests', async () => {
    const service = await stage.findService(freeService);
    const token = await app.signIn('individual');
    const send = async (referralCode: string) =>
      app.call(createRequest, {
        token,
        body: {
          serviceId: service.id,
          answers: makeAnswers(service.form),
          attachmentIds: await uploadRequiredDocuments(app, token, service),
          agreeToTermsAndConditions: true,
          referralCode,
        },
      });
    expect((await send('DEMO-ENDED')).refused.error).toBe('ReferralCodeNotValid');
    const answers = await Promise.all([1, 2, 3].map(() => send('demo-once')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(await check('DEMO-ONCE')).toEqual({ isValid: false });
    const row = await app.database
      .selectFrom('requests')
      .select('referral_code')
      .where('id', '=', answers.find(({ status }) => status === 200)?.body.requestId ?? 0)
      .executeTakeFirst();
    expect(row?.referral_code).toBe('DEMO-ONCE');
    expect((await send('')).status).toBe(200);
  });
});
