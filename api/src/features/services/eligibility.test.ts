import { describe, expect, it } from 'vitest';
import { readSeedFiles } from '#seed/seed-files.ts';
import { eligibilityOf } from '#seed/seed.ts';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { useTestApp } from '#testing/test-app.ts';
import { checkEligibility } from '@diwan/contract/catalogue/eligibility';
import { getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { languages, type Language } from '@diwan/contract/wire/languages';

const app = useTestApp();

const find = async (serviceName: string, language: Language = 'en-US') =>
  (await app.call(getServiceIdByServiceName, { query: { serviceName }, language })).body.service;
async function stateOf(username: string, serviceName: string) {
  const { id } = await find(serviceName);
  return Object.fromEntries(
    (await app.callAs(username, checkEligibility, { query: { serviceId: id } })).body.map(
      ({ name, state }) => [name, state],
    ),
  );
}
async function send(username: string, serviceName: string, language: Language = 'en-US') {
  const service = await find(serviceName);
  const token = await app.signIn(username);
  const attachmentIds = await uploadRequiredDocuments(app, token, service);
  return app.call(createRequest, {
    token,
    language,
    body: {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    },
  });
}

describe('the eligibility rules of a service', () => {
  it.each([
    ['ar-EG', 'الشركات والمنشآت، من خلال حساب شركة'],
    ['en-US', 'Companies and establishments, from a company account'],
    ['ur-PK', 'کمپنیاں اور ادارے، کمپنی کے اکاؤنٹ سے'],
  ] as const)('are shown in %s before the form', async (language, text) => {
    expect(
      (await find('wages-protection-system-registration', language)).eligibility,
    ).toMatchObject([{ name: 'company', text, question: '' }]);
  });

  it('ask for unknown facts, and name the service that is meant instead', async () => {
    expect((await find('tourist-visa')).eligibility).toMatchObject([
      {
        text: expect.stringMatching(/^All nationalities except .*United Arab Emirates/) as string,
        question: expect.stringContaining('?') as string,
      },
    ]);
    expect(
      (await find('renew-driving-licence', 'ur-PK')).eligibility[0]?.elsewhere?.replacedName,
    ).toBe('issue-new-driving-licence');
    expect(
      (await find('marriage-grant-request', 'ar-EG')).eligibility.map(({ text }) => text),
    ).toContain('الأعمار: 21 عامًا أو أكثر');
  });

  it('have a state for the caller', async () => {
    expect(await stateOf('individual', 'wages-protection-system-registration')).toEqual({
      company: 'notMet',
    });
    expect(await stateOf('company', 'wages-protection-system-registration')).toEqual({
      company: 'met',
    });
    expect(await stateOf('individual', 'marriage-grant-request')).toEqual({
      person: 'met',
      citizens: 'ask',
      adult: 'met',
    });
    expect(await stateOf('company', 'marriage-grant-request')).toMatchObject({ person: 'notMet' });
  });

  it('use the nationality from UAE PASS and the stored licence', async () => {
    await app.database
      .updateTable('users')
      .set({ nationality: 'PK' })
      .where('username', '=', 'individual2')
      .execute();
    // The demo companies have a licence on record.
    await app.database
      .updateTable('companies')
      .set({ licence_number: null })
      .where(({ eb, selectFrom }) =>
        eb('id', '=', selectFrom('users').select('company_id').where('username', '=', 'company')),
      )
      .execute();
    expect(await stateOf('individual2', 'renewal-passport')).toEqual({
      person: 'met',
      citizens: 'notMet',
    });
    expect(await stateOf('individual2', 'tourist-visa')).toEqual({ visaNeeded: 'met' });
    expect(await stateOf('company2', 'renew-trade-licence')).toEqual({ licence: 'met' });
    expect(await stateOf('company', 'renew-trade-licence')).toEqual({ licence: 'ask' });
  });
});

describe('createRequest', () => {
  it.each([
    ['ar-EG', 'الشركات والمنشآت'],
    ['en-US', 'Companies and establishments'],
    ['ur-PK', 'کمپنیاں اور ادارے'],
  ] as const)(
    'refuses in %s a caller who violates a rule, with the text of the rule',
    async (language, text) => {
      const { status, refused } = await send(
        'individual',
        'wages-protection-system-registration',
        language,
      );
      expect([status, refused.error]).toEqual([400, 'NotEligible']);
      expect(refused.message).toContain(text);
      expect(
        await app.database
          .selectFrom('requests')
          .innerJoin('services', 'services.id', 'requests.service_id')
          .select('requests.id')
          .where('replaced_name', '=', 'wages-protection-system-registration')
          .execute(),
      ).toEqual([]);
    },
  );

  it('accepts a caller who fulfils the rules or of whom no fact is known', async () => {
    expect((await send('company', 'wages-protection-system-registration')).status).toBe(200);
    expect((await send('individual', 'tourist-visa')).status).toBe(200);
  });
});

it('every rule of the seed has texts in three languages and names an existing service', async () => {
  const { services, ...files } = await readSeedFiles();
  const names = new Set(services.map(({ service }) => service.replacedName));
  const withRules = services.filter(({ service }) => eligibilityOf(service, files).length > 0);
  expect(withRules.length).toBeGreaterThan(100);
  for (const { elsewhere } of withRules.flatMap(({ service }) => eligibilityOf(service, files)))
    if (elsewhere) expect(names).toContain(elsewhere);
  for (const entry of files.eligibility)
    for (const name of [...(entry.services ?? []), ...(entry.except ?? [])])
      expect(names).toContain(name);
  for (const language of languages) {
    for (const { service } of withRules.slice(0, 60))
      for (const { text } of (await find(service.replacedName, language)).eligibility)
        expect(text).toMatch(/\S/);
  }
});
