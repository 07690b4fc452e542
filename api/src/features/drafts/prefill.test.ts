import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Service } from '@diwan/contract/catalogue/services';
import * as calls from '@diwan/contract/requests/drafts';

const app = useTestApp();
let service: Service;
let free: Service;
beforeAll(async () => {
  service = await openRequestStage(app).findService(paidService);
  free = await openRequestStage(app).findService(freeService);
});
afterEach(() => app.database.deleteFrom('prefill_consents').execute());

const ask = async (
  username: string,
  serviceId = service.id,
  language: 'ar-EG' | 'en-US' = 'en-US',
) => (await app.callAs(username, calls.getPrefill, { query: { serviceId }, language })).body;
const agree = async (username: string, isAgreed: boolean) =>
  app.callAs(username, calls.setPrefillConsent, { body: { isAgreed } });
const change = (username: string, values: object) =>
  app.database.updateTable('users').set(values).where('username', '=', username).execute();
const of = (prefill: Awaited<ReturnType<typeof ask>>, name: string) =>
  prefill.fields.find((each) => each.name === name);

describe('a suggested answer', () => {
  it('comes from the account and names its origin', async () => {
    const user = await app.database
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'individual2')
      .executeTakeFirstOrThrow();
    const prefill = await ask('individual2');
    expect(of(prefill, 'applicantName')).toEqual({
      name: 'applicantName',
      value: user.full_name,
      origin: 'profile',
    });
    expect(of(prefill, 'applicantMobile')).toMatchObject({
      value: user.phone_number,
      origin: 'profile',
    });
    expect(of(prefill, 'applicantEmail')).toMatchObject({ value: user.email, origin: 'profile' });
  });

  it('distinguishes verified and typed values, in the language of the page', async () => {
    await change('individual2', {
      uaepass_id: 'subject',
      emirates_id: '784-1990-1234567-6',
      full_name_ar: 'بلال خان',
    });
    expect(of(await ask('individual2', service.id, 'ar-EG'), 'applicantName')).toMatchObject({
      value: 'بلال خان',
      origin: 'uaePass',
    });
    expect(of(await ask('individual2'), 'applicantName')?.origin).toBe('uaePass');
    await change('individual2', { uaepass_id: null, emirates_id: null, full_name_ar: null });
  });

  it('includes the nationality from UAE PASS', async () => {
    const asking = (
      await app.database
        .selectFrom('services')
        .selectAll()
        .where('deleted_at', 'is', null)
        .execute()
    ).flatMap(({ id, form }) =>
      form.steps
        .flatMap((step) => step.fields)
        .filter((field) => field.name === 'applicantNationality' && field.kind === 'nationality')
        .map((field) => ({ id, name: field.name })),
    )[0];
    expect(asking).toBeDefined();
    await change('individual2', { uaepass_id: 'subject', nationality: 'PK' });
    expect(of(await ask('individual2', asking?.id ?? 0), asking?.name ?? '')).toMatchObject({
      value: 'PK',
      origin: 'uaePass',
    });
    await change('individual2', { uaepass_id: null, nationality: null });
  });

  it('is valid for the form', async () => {
    const { phone_number: before } = await app.database
      .selectFrom('users')
      .select('phone_number')
      .where('username', '=', 'individual2')
      .executeTakeFirstOrThrow();
    await change('individual2', { phone_number: '+4930123456' });
    expect(of(await ask('individual2'), 'applicantMobile')).toBeUndefined();
    await change('individual2', { phone_number: before });
  });
});

describe('earlier requests', () => {
  it('are used only while the person consents', async () => {
    await openRequestStage(app).send('individual', paidService);
    const before = await ask('individual');
    expect([before.isAgreed, before.hasEarlier]).toEqual([false, true]);
    expect(before.fields.filter(({ origin }) => origin === 'earlierRequest')).toEqual([]);
    await agree('individual', true);
    const after = await ask('individual');
    const earlier = after.fields.filter(({ origin }) => origin === 'earlierRequest');
    expect(after.isAgreed).toBe(true);
    expect(earlier.length).toBeGreaterThan(0);
    for (const { name, value, requestNumber = '' } of earlier) {
      const { answers } = await app.database
        .selectFrom('requests')
        .select('answers')
        .where('number', '=', requestNumber)
        .executeTakeFirstOrThrow();
      expect(Object.values(answers), name).toContainEqual(value);
    }
    // Account data comes first; amounts, choices and long texts are not suggested.
    const kinds = service.form.steps
      .flatMap((step) => step.fields)
      .filter(({ name }) => earlier.some((each) => each.name === name))
      .map(({ kind }) => kind);
    for (const kind of kinds)
      expect([
        'text',
        'emiratesId',
        'mobile',
        'email',
        'iban',
        'trn',
        'nationality',
        'emirate',
        'address',
        'date',
      ]).toContain(kind);
    await agree('individual', false);
    expect((await ask('individual')).fields.some(({ origin }) => origin === 'earlierRequest')).toBe(
      false,
    );
  });

  it('belong to the person or to their company', async () => {
    await agree('individual2', true);
    await app.database.updateTable('requests').set({ applicant_name: 'x' }).execute();
    const id = await app.idOf('individual2');
    const numbers = new Set(
      (
        await app.database
          .selectFrom('requests')
          .select('number')
          .where('user_id', '=', id)
          .where('company_id', 'is', null)
          .execute()
      ).map(({ number }) => number),
    );
    for (const one of [service, free])
      for (const { requestNumber } of (await ask('individual2', one.id)).fields)
        if (requestNumber) expect(numbers).toContain(requestNumber);
    await openRequestStage(app).send('company', paidService);
    await agree('company2', true);
    const company = await app.database
      .selectFrom('users')
      .select('company_id')
      .where('username', '=', 'company2')
      .executeTakeFirstOrThrow();
    const own = new Set(
      (
        await app.database
          .selectFrom('requests')
          .select('number')
          .where('company_id', '=', company.company_id)
          .execute()
      ).map(({ number }) => number),
    );
    for (const { requestNumber } of (await ask('company2')).fields)
      if (requestNumber) expect(own).toContain(requestNumber);
  });

  it('of a colleague supply answers about the company only', async () => {
    const { form } = service;
    const { requestId } = await openRequestStage(app).send('company', paidService);
    const { user_id: sender, company_id } = await app.database
      .selectFrom('requests')
      .select(['user_id', 'company_id'])
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const colleague = await app.database
      .selectFrom('users')
      .select(['id', 'company_id', 'phone_number', 'email'])
      .where('username', '=', 'company2')
      .executeTakeFirstOrThrow();
    expect(colleague.id).not.toBe(sender);
    const { phone_number, email } = await app.database
      .selectFrom('users')
      .select(['phone_number', 'email'])
      .where('id', '=', sender)
      .executeTakeFirstOrThrow();
    await change('company2', { company_id, phone_number: '', email: '' });
    await change('company', { phone_number: '', email: '' });
    await agree('company2', true);
    await agree('company', true);
    const own = form.steps
      .flatMap((step) => step.fields)
      .filter(({ name }) => name.startsWith('applicant'))
      .map(({ name }) => name);
    expect(
      (await ask('company')).fields.filter(
        ({ name, origin }) => own.includes(name) && origin === 'earlierRequest',
      ),
    ).not.toEqual([]);
    const theirs = await ask('company2');
    expect(
      theirs.fields.filter(({ origin, name }) => origin === 'earlierRequest' && own.includes(name)),
    ).toEqual([]);
    // `hasEarlier` must agree with the suggestions.
    expect(theirs.hasEarlier).toBe(theirs.fields.some(({ origin }) => origin === 'earlierRequest'));
    await change('company', { phone_number, email });
    await change('company2', {
      company_id: colleague.company_id,
      phone_number: colleague.phone_number,
      email: colleague.email,
    });
  });

  it('with a different form supply nothing', async () => {
    await agree('individual', true);
    const { requestId } = await openRequestStage(app).send('individual', paidService);
    const row = await app.database
      .selectFrom('requests')
      .innerJoin('forms', 'forms.id', 'form_id')
      .select(['forms.content as form', 'answers'])
      .where('requests.id', '=', requestId)
      .executeTakeFirstOrThrow();
    const [used] = (await ask('individual')).fields.filter(
      ({ origin }) => origin === 'earlierRequest',
    );
    await app.database
      .updateTable('requests')
      .set({ answers: JSON.stringify({ ...row.answers, [used?.name ?? '']: 'x'.repeat(5000) }) })
      .execute();
    expect((await ask('individual')).fields.some(({ name }) => name === used?.name)).toBe(false);
  });
});

it('supplies the company’s details only to its users', async () => {
  const customs = await app.database
    .selectFrom('services')
    .selectAll()
    .where('deleted_at', 'is', null)
    .execute();
  const service = customs.find(({ form }) =>
    form.steps.some((step) => step.fields.some(({ prefill }) => prefill === 'companyName')),
  );
  const name =
    service?.form.steps
      .flatMap((step) => step.fields)
      .find(({ prefill }) => prefill === 'companyName')?.name ?? '';
  const company = await app.database
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select('companies.name')
    .where('username', '=', 'company')
    .executeTakeFirstOrThrow();
  expect(of(await ask('company', service?.id ?? 0), name)).toMatchObject({
    value: company.name['en-US'],
    origin: 'profile',
  });
  expect(of(await ask('individual', service?.id ?? 0), name)?.origin).not.toBe('profile');
});
