import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { sql } from 'kysely';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAnswers } from '@diwan/contract/forms/check-answers';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import { createRequest } from '@diwan/contract/requests/requests';
import { deleteService } from '@diwan/contract/catalogue/services';
import { answersTo, forms } from '@diwan/contract/testing/random-forms';
import { cleanText } from '../../../platform/core/clean-text.ts';
import { freeService, openRequestStage, paidService } from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { dayInDubai } from '@diwan/contract/wire/days';

const root = new URL('../../../../../', import.meta.url).pathname;
let app: TestApp;
let folder: string;
let inBrowser: typeof checkAnswers;

// The check as the portal's build makes it: without zod, minified, for browsers.
beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'diwan-check-'));
  await build({
    configFile: false,
    root: join(root, 'contract'),
    logLevel: 'error',
    resolve: {
      alias: [{ find: /^zod$/, replacement: join(root, 'web/src/lib/api/zod-in-browser.ts') }],
    },
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
const travelled = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/**
 * What the server says to answers of a form, over HTTP. Names of faults by field, or the answers
 * that it kept.
 */
async function askServer(
  serviceId: number,
  form: ServiceForm,
  answers: Record<string, unknown>,
): Promise<{ faults?: string[]; kept?: unknown }> {
  const { status, body, refused } = await app.call(createRequest, {
    token: await app.signIn('individual'),
    body: { serviceId, answers, attachmentIds: [], agreeToTermsAndConditions: true },
  });
  if (status !== 200) {
    expect(refused).toHaveProperty('errors');
    return { faults: Object.keys(refused.errors ?? {}).sort() };
  }
  const row = await app.database
    .selectFrom('requests')
    .select(['answers', 'form'])
    .where('id', '=', body.requestId)
    .executeTakeFirstOrThrow();
  expect(row.form).toEqual(travelled(form));
  return { kept: row.answers };
}

describe('browser and server', () => {
  it('agree on random forms and answers, over HTTP', async () => {
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
      await sql`insert into services overriding system value select (jsonb_populate_record(services, ${changes}::jsonb)).* from services where id = ${service.id}`.execute(
        app.database,
      );
    }
    // The catalogue is read again when an admin changes it.
    const { status } = await app.call(deleteService, {
      token: await app.signIn('admin'),
      params: { serviceId: (await openRequestStage(app).findService(paidService)).id },
    });
    expect(status).toBe(200);
    let accepted = 0;
    for (const [index, [form, tries]] of samples.entries()) {
      for (const raw of tries) {
        const answers = travelled(raw);
        const judged = inBrowser(form, answers, dayInDubai(new Date()));
        const { faults, kept } = await askServer(highest + 2 + index, form, answers);
        if (faults === undefined) {
          accepted += 1;
          expect(kept).toEqual(travelled(judged.answers));
          expect(judged.issues).toEqual([]);
        } else if (isUnreadable(answers)) expect(faults.length).toBeGreaterThan(0);
        else expect(faults).toEqual([...new Set(judged.issues.map((issue) => issue.field))].sort());
      }
    }
    expect(accepted).toBeGreaterThan(5);
  });

  it('agree on many more, with the check as each of them runs it', () => {
    fc.assert(
      fc.property(cases, ([form, tries]) => {
        for (const answers of tries)
          expect(inBrowser(form, travelled(answers), '2026-11-21')).toEqual(
            checkAnswers(travelled(form), travelled(answers), '2026-11-21'),
          );
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe('answers that nobody means', () => {
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 'x');
  it.each<[string, Record<string, unknown>, string]>([
    ['a field that the form does not have', { nonsense: 'x' }, 'answers.nonsense'],
    ['a name of every object', { constructor: 'x' }, 'answers.constructor'],
    ['100 000 characters', { applicantName: 'ع'.repeat(100_000) }, 'answers.applicantName'],
    ['NUL', { applicantName: 'a\u0000' }, 'answers.applicantName'],
    ['half a character', { applicantName: 'a\uD83D' }, 'answers.applicantName'],
    [
      'a list of 10 000',
      { applicantName: Array.from({ length: 10_000 }, () => ({})) },
      'answers.applicantName',
    ],
    ['lists in lists', { applicantName: nested(11) }, 'answers.applicantName'],
    ['bottomless lists', { applicantName: nested(400) }, 'answers.applicantName'],
    ['an object', { applicantName: { toString: 'x' } }, 'answers.applicantName'],
    ['another number of digits', { applicantMobile: '٠'.repeat(40) }, 'answers.applicantMobile'],
  ])('%s: named beside its field, at once', async (_, own, field) => {
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

// NUL, half characters, bottomless values and what would change every object are refused before a
// form is asked.
function isUnreadable(answers: unknown): boolean {
  if (JSON.stringify(answers).includes('"__proto__":')) return true;
  try {
    cleanText({ answers });
    return false;
  } catch {
    return true;
  }
}
