import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { sanitizeInput } from '#platform/http/validate-input.ts';
import { freeService, openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { deleteService } from '@diwan/contract/catalogue/services';
import { checkAnswers } from '@diwan/contract/forms/check-answers';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { answersTo, forms } from '@diwan/contract/testing/random-forms';
import { dayInDubai } from '@diwan/contract/wire/days';
import { stripSchemas } from '../../../../../web/build/strip-schemas.ts';

const root = new URL('../../../../../', import.meta.url).pathname;
let app: TestApp;
let folder: string;
let inBrowser: typeof checkAnswers;

// The form check as in the browser build: minified and without zod.
beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'diwan-check-'));
  await build({
    configFile: false,
    root: join(root, 'contract'),
    logLevel: 'error',
    plugins: [stripSchemas()],
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: true,
      lib: {
        entry: join(root, 'contract/src/forms/check-answers.ts'),
        formats: ['es'],
        fileName: () => 'check.mjs',
      },
    },
  });
  ({ checkAnswers: inBrowser } = (await import(pathToFileURL(join(folder, 'check.mjs')).href)) as {
    checkAnswers: typeof checkAnswers;
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const cases = forms.chain((form) =>
  fc.tuple(fc.constant(form), fc.array(answersTo(form), { minLength: 4, maxLength: 4 })),
);
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Sends answers over HTTP. Returns the fields with issues, or the stored answers. */
async function createOverHttp(
  serviceId: number,
  form: ServiceForm,
  answers: Record<string, unknown>,
): Promise<{ fields?: string[]; stored?: unknown }> {
  const { status, body, refused } = await app.callAs('individual', createRequest, {
    body: { serviceId, answers, attachmentIds: [], agreeToTermsAndConditions: true },
  });
  if (status !== 200) {
    expect(refused).toHaveProperty('errors');
    return { fields: Object.keys(refused.errors ?? {}).sort() };
  }
  const row = await app.database
    .selectFrom('requests')
    .innerJoin('forms', 'forms.id', 'form_id')
    .select(['answers', 'forms.content as form'])
    .where('requests.id', '=', body.requestId)
    .executeTakeFirstOrThrow();
  expect(row.form).toEqual(throughJson(form));
  return { stored: row.answers };
}

describe('the form check of browser and server', () => {
  it('agrees on random forms and answers over HTTP', async () => {
    const service = await openRequestStage(app).findService(freeService);
    const samples = fc.sample(cases, { numRuns: 25, seed: 20_261_121 });
    const { highest } = await app.database
      .selectFrom('services')
      .select((eb) => eb.fn.max('id').as('highest'))
      .executeTakeFirstOrThrow();
    for (const [index, [form]] of samples.entries()) {
      const changes = JSON.stringify({
        id: highest + 2 + index,
        replaced_name: `random-${index}`,
        form,
        attachments: [],
        eligibility: [],
      });
      await sql`
        insert into services overriding system value
        select (jsonb_populate_record(services, ${changes}::jsonb)).*
        from services
        where id = ${service.id}
      `.execute(app.database);
    }
    // A change by an admin makes the server read the catalogue again.
    const { status } = await app.callAs('admin', deleteService, {
      params: { serviceId: (await openRequestStage(app).findService(paidService)).id },
    });
    expect(status).toBe(200);
    let accepted = 0;
    for (const [index, [form, tries]] of samples.entries()) {
      for (const raw of tries) {
        const answers = throughJson(raw);
        const checked = inBrowser(form, answers, dayInDubai(new Date()));
        const { fields, stored } = await createOverHttp(highest + 2 + index, form, answers);
        if (fields === undefined) {
          accepted += 1;
          expect(stored).toEqual(throughJson(checked.answers));
          expect(checked.issues).toEqual([]);
        } else if (isUnreadable(answers)) expect(fields.length).toBeGreaterThan(0);
        else {
          const found = [...new Set(checked.issues.map((issue) => issue.field))].sort();
          // Fines are refused by their register too, which only the server asks.
          const fines = form.steps
            .flatMap((step) => step.fields)
            .filter(({ kind }) => kind === 'fines')
            .map(({ name }) => `answers.${name}`);
          expect(fields.filter((field) => found.includes(field) || !fines.includes(field))).toEqual(
            found,
          );
        }
      }
    }
    expect(accepted).toBeGreaterThan(5);
  });

  it('agrees on further forms without HTTP', () => {
    fc.assert(
      fc.property(cases, ([form, tries]) => {
        for (const answers of tries)
          expect(inBrowser(form, throughJson(answers), '2026-11-21')).toEqual(
            checkAnswers(throughJson(form), throughJson(answers), '2026-11-21'),
          );
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe('invalid answers', () => {
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 'x');
  it.each<[string, Record<string, unknown>, string]>([
    ['a field that is not in the form', { nonsense: 'x' }, 'answers.nonsense'],
    ['a name of an object property', { constructor: 'x' }, 'answers.constructor'],
    ['100 000 characters', { applicantName: 'ع'.repeat(100_000) }, 'answers.applicantName'],
    ['NUL', { applicantName: 'a\u0000' }, 'answers.applicantName'],
    ['a lone surrogate', { applicantName: 'a\uD83D' }, 'answers.applicantName'],
    [
      'a list of 10 000',
      { applicantName: Array.from({ length: 10_000 }, () => ({})) },
      'answers.applicantName',
    ],
    ['nested lists', { applicantName: nested(11) }, 'answers.applicantName'],
    ['deeply nested lists', { applicantName: nested(400) }, 'answers.applicantName'],
    ['an object', { applicantName: { toString: 'x' } }, 'answers.applicantName'],
    ['too many digits', { applicantMobile: '٠'.repeat(40) }, 'answers.applicantMobile'],
  ])('%s is refused by the name of its field, and quickly', async (_, own, field) => {
    const service = await openRequestStage(app).findService(freeService);
    const token = await app.signIn('individual');
    const before = Date.now();
    const { status, refused } = await app.call(createRequest, {
      token,
      body: {
        serviceId: service.id,
        answers: own,
        attachmentIds: [],
        agreeToTermsAndConditions: true,
      },
    });
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {})).toContain(field);
  });
});

// NUL, lone surrogates, deeply nested values and `__proto__` are refused before the form check.
function isUnreadable(answers: unknown): boolean {
  if (JSON.stringify(answers).includes('"__proto__":')) return true;
  try {
    sanitizeInput({ answers });
    return false;
  } catch {
    return true;
  }
}
