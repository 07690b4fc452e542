import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openSessions } from '#platform/auth/sessions/sessions.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as designs from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { Answers, FormField } from '@diwan/contract/forms/forms';
import { getDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { createRequest } from '@diwan/contract/requests/request-actions';

const app = useTestApp();
const text = (english: string) => ({ 'ar-EG': 'نص', 'en-US': english, 'ur-PK': 'متن' });
// 20 with the other tests; PEOPLE=100 for the whole trial.
const people = Number(process.env.PEOPLE ?? 20);

const question = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'text',
  title: text(name),
  required: false,
  ...more,
});

const read = async (serviceId: number) =>
  (await app.callAs('admin', designs.getServiceDesign, { query: { serviceId } })).body;

async function publishChange(serviceId: number, change: (document: DraftDocument) => void) {
  const { document, version } = await read(serviceId);
  change(document);
  const saved = await app.callAs('admin', designs.saveServiceDraft, {
    body: { serviceId, version, document: JSON.stringify(document) },
  });
  expect(saved.body.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const body = { serviceId, version: saved.body.version };
  expect((await app.callAs('admin', designs.publishService, { body })).status).toBe(200);
}

async function publishNewService(): Promise<number> {
  const { body } = await app.callAs('admin', designs.createServiceDraft, {
    body: { template: 'blank' },
  });
  await publishChange(body.serviceId, (document) =>
    Object.assign(document, {
      replacedName: 'changed-meanwhile',
      name: text('Changed meanwhile'),
      description: text('Its form changes while people fill it in'),
      result: text('Nothing'),
      agencyId: 1,
      categoryId: 1,
      accountTypeIds: [1],
      form: {
        steps: [
          {
            name: 'story',
            title: text('Story'),
            fields: ['first', 'second', 'third'].map((name) => question(name, { required: true })),
          },
        ],
      },
    }),
  );
  return body.serviceId;
}

/** Separate accounts with a session each; signing in would take seconds. */
async function makePeople(): Promise<string[]> {
  const rows = await app.database
    .insertInto('users')
    .values(
      Array.from({ length: people }, (_, index) => ({
        username: `writer${index}`,
        password_hash: 'none',
        full_name: `Writer ${index}`,
        phone_number: '+971501112223',
        email: `writer${index}@mail.example`,
        roles: [],
      })),
    )
    .returning('id')
    .execute();
  const sessions = await openSessions(app.database, app.config, 'http://localhost:3000');
  return Promise.all(rows.map(({ id }) => sessions.create(id)));
}

const changes: readonly ((document: DraftDocument) => void)[] = [
  ({ form }) => void form.steps[0]?.fields.push(question('fourth')),
  ({ form }) => void (form.steps[0]!.fields[0]!.title = text('The beginning')),
  ({ form }) => void form.steps[0]?.fields.reverse(),
  ({ form }) =>
    void form.steps.push({ ...form.steps[0]!, name: 'more', fields: [question('last')] }),
  (document) =>
    void (document.fees = [{ name: 'fee', title: text('Fee'), amount: 100, vatRate: 0 }]),
];

interface Writer {
  token: string;
  draftId: string;
  revision: number;
  answers: Answers;
}

it(`a service is changed five times while ${people} people fill in its form, and nobody loses an answer`, async () => {
  const serviceId = await publishNewService();
  const writers: Writer[] = (await makePeople()).map((token) => ({
    token,
    draftId: randomUUID(),
    revision: 0,
    answers: {},
  }));
  /** One more answer, saved with the revision that the last save returned. */
  const write = async (writer: Writer, round: number) => {
    const name = ['first', 'second', 'third'][round % 3] ?? '';
    const { token, draftId, revision } = writer;
    const answers = { ...writer.answers, [name]: `${name} of ${draftId}, ${round}` };
    const saved = await app.call(saveDraft, {
      token,
      body: { draftId, serviceId, revision, answers, attachmentIds: [], passed: [] },
    });
    expect(saved.refused.error ?? saved.body.leftOut).toEqual([]);
    Object.assign(writer, { answers, revision: saved.body.revision });
  };
  for (const [round, change] of changes.entries())
    await Promise.all([
      publishChange(serviceId, change),
      ...writers.map((writer) => write(writer, round)),
    ]);
  for (const { token, draftId, answers } of writers) {
    const { draft } = (await app.call(getDraft, { token, query: { serviceId } })).body;
    expect(draft).toMatchObject({ draftId, answers });
  }
  const send = ({ token, draftId, answers }: Writer, expectedTotal: number) =>
    app.call(createRequest, {
      token,
      body: {
        serviceId,
        draftId,
        answers,
        attachmentIds: [],
        agreeToTermsAndConditions: true,
        expectedTotal,
      },
    });
  // The price has changed since: nothing is sent for another one, and the draft stays.
  const [first] = writers;
  expect((await send(first!, 0)).refused.error).toBe('TotalHasChanged');
  const sent = await Promise.all(writers.map((writer) => send(writer, 100)));
  const rows = await app.database
    .selectFrom('requests')
    .select(['id', 'answers'])
    .where('service_id', '=', serviceId)
    .execute();
  const answersOf = new Map(rows.map((row) => [row.id, row.answers]));
  expect(sent.map(({ body }) => answersOf.get(body.requestId))).toEqual(
    writers.map(({ answers }) => answers),
  );
});
