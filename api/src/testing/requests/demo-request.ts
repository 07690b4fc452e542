import { getService, getServices, type Service } from '@diwan/contract/catalogue/services';
import {
  isFieldShown,
  listRequiredDocuments,
  listShownItemFields,
} from '@diwan/contract/forms/check-answers';
import type { Answers, FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import type { TestApp } from '../test-app.ts';

/** The smallest file that is a PDF by its content. */
export const smallPdf = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
);
/** The smallest file that is a PNG by its content. */
export const smallPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

function dayWithin(field: FormField): string {
  const offset = (limit: string | undefined) =>
    limit?.startsWith('today') ? Number(limit.slice(5) || 0) : undefined;
  if (field.formatMinimum && offset(field.formatMinimum) !== undefined)
    return day((offset(field.formatMinimum) ?? 0) + 2);
  if (field.formatMaximum && offset(field.formatMaximum) !== undefined)
    return day((offset(field.formatMaximum) ?? 0) - 2);
  return field.formatMinimum ?? field.formatMaximum ?? day(0);
}

// Texts for the patterns of the demo forms; the first that matches is used.
const candidates = [
  'Palm Trading',
  // A name in Arabic.
  '\u0646\u062E\u064A\u0644',
  '123456',
  'A12345',
  '12345678',
  '784',
  'AB1234567',
  'CN-1234567',
  '1234567',
  '12345',
  '123',
  '1',
  'A',
  '2020',
  '1HGCM82633A004352',
  'AE-1234567',
  '67-64-1',
  '101/2020/1234567',
  '12345678901234',
  '123456789012345',
  '1234/2020',
  'https://example.com',
  'DXB 12345',
  '0123456789',
  '1234567890',
  '123456789',
  '10:30',
];

function makeText(field: FormField): string {
  if (!field.pattern)
    return 'Palm Trading'.padEnd(field.minLength ?? 0, '.').slice(0, field.maxLength ?? 200);
  const pattern = new RegExp(field.pattern, 'u');
  const text = candidates.find((candidate) => pattern.test(candidate));
  if (text === undefined) throw new Error(`no candidate matches ${field.pattern}`);
  return text;
}

function makeGroup(field: FormField): Answers[string] {
  const form = { steps: [{ name: 'only', title: field.title, fields: [field] }] };
  return Array.from({ length: Math.max(1, field.minItems ?? 1) }, () =>
    makeAnswersOf(field.fields ?? [], (each, item) =>
      listShownItemFields(form, field, item, {}).includes(each),
    ),
  ) as Answers[string];
}

const makeNumber = (field: FormField): number =>
  field.minimum ?? Math.min(field.maximum ?? 1000, 1000);

/** Makes an answer by the kind of its field; the other kinds take a text. */
const makers: Partial<Record<FormField['kind'], (field: FormField) => Answers[string]>> = {
  number: makeNumber,
  money: makeNumber,
  date: dayWithin,
  choice: (field) => field.oneOf?.[0]?.const ?? '',
  choices: (field) => [field.oneOf?.[0]?.const ?? ''],
  fines: () => ['PF-100000000'],
  yesNo: () => true,
  emiratesId: () => '784-1990-1234567-6',
  mobile: () => '0501234567',
  email: () => 'someone@example.com',
  iban: () => 'AE070331234567890123456',
  trn: () => '100123456789012',
  nationality: () => 'AE',
  emirate: () => 'dubai',
  address: () => ({
    emirate: 'dubai',
    area: 'Deira',
    building: 'Palm Tower',
    makani: '1234567890',
  }),
  group: makeGroup,
};

/** A valid answer for a field. */
export const makeAnswer = (field: FormField): Answers[string] =>
  (makers[field.kind] ?? makeText)(field);

/** Valid answers for all shown fields of a form. */
export function makeAnswers(form: ServiceForm): Answers {
  return makeAnswersOf(
    form.steps.flatMap((step) => step.fields),
    (field, answers) => isFieldShown(form, field, answers),
  );
}

// File fields have no answer, and the server answers what is due where nobody chooses.
function makeAnswersOf(
  fields: readonly FormField[],
  isShown: (field: FormField, answers: Answers) => boolean,
): Answers {
  const answers: Answers = {};
  for (const field of fields)
    if (field.kind !== 'file' && field.payAll !== true && isShown(field, answers))
      answers[field.name] = makeAnswer(field);
  return answers;
}

/** Uploads the documents that a service requires for these answers; returns the attachment ids. */
export async function uploadRequiredDocuments(
  app: Pick<TestApp, 'call'>,
  token: string,
  service: Service,
  answers: Answers = makeAnswers(service.form),
): Promise<string[]> {
  const ids: string[] = [];
  for (const { rule } of listRequiredDocuments(service.form, service.attachments, answers)) {
    if (!rule.required) continue;
    const isPdf = rule.mediaTypes.includes('application/pdf');
    const content = isPdf ? smallPdf : smallPng;
    const { status, body, refused } = await app.call(createAttachment, {
      token,
      body: {
        serviceId: service.id,
        name: rule.name,
        fileName: `paper.${isPdf ? 'pdf' : 'png'}`,
        mediaType: isPdf ? 'application/pdf' : 'image/png',
        size: content.length,
      },
    });
    if (status !== 200) throw new Error(`no attachment: ${status} ${JSON.stringify(refused)}`);
    const upload = await app.call(uploadAttachment, {
      token,
      params: { attachmentId: body.attachmentId },
      body: content,
    });
    if (upload.status !== 200)
      throw new Error(`no upload: ${upload.status} ${JSON.stringify(upload.refused)}`);
    ids.push(body.attachmentId);
  }
  return ids;
}

/** A service with fees, with its whole form. */
async function findPaidService(app: Pick<TestApp, 'call'>): Promise<Service> {
  const { body } = await app.call(getServices, { query: { PageSize: 100 } });
  const paid = body.items.find((item) => item.total > 0);
  return (await app.call(getService, { query: { serviceId: paid?.id ?? 0 } })).body;
}

/** Creates a request of a demo user for a service with fees, through the API. */
export async function insertDemoRequest(
  app: TestApp,
  username: string,
): Promise<{ requestId: number; requestNumber: string }> {
  const token = await app.signIn(username);
  const service = await findPaidService(app);
  const attachmentIds = await uploadRequiredDocuments(app, token, service);
  const { status, body, refused } = await app.call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    },
  });
  if (status !== 200) throw new Error(`no demo request: ${JSON.stringify(refused)}`);
  return body;
}
