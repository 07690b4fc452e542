import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import type { Answers, FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { isFieldShown, itemFieldsShown } from '@diwan/contract/forms/check-answers';
import { createRequest } from '@diwan/contract/requests/requests';
import { getService, getServices, type Service } from '@diwan/contract/catalogue/services';
import type { TestApp } from './test-app.ts';

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

// Texts that the patterns of the demo's forms take; the first that matches is used.
const candidates = [
  'Palm Trading',
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
  '101/2020/1234567',
  '12345678901234',
  '123456789012345',
  '1234/2020',
  'https://example.com',
  'DXB 12345',
  '0123456789',
  '1234567890',
  '123456789',
];

/** An answer that a field takes. */
export function answerFor(field: FormField): Answers[string] {
  switch (field.kind) {
    case 'number':
    case 'money':
      return field.minimum ?? Math.min(field.maximum ?? 1000, 1000);
    case 'date':
      return dayWithin(field);
    case 'choice':
      return field.oneOf?.[0]?.const ?? '';
    case 'choices':
      return [field.oneOf?.[0]?.const ?? ''];
    case 'yesNo':
      return true;
    case 'emiratesId':
      return '784-1990-1234567-6';
    case 'mobile':
      return '0501234567';
    case 'email':
      return 'someone@example.com';
    case 'iban':
      return 'AE070331234567890123456';
    case 'trn':
      return '100123456789012';
    case 'nationality':
      return 'AE';
    case 'emirate':
      return 'dubai';
    case 'address':
      return { emirate: 'dubai', area: 'Deira', building: 'Palm Tower', makani: '1234567890' };
    case 'group':
      return Array.from({ length: Math.max(1, field.minItems ?? 1) }, () =>
        answersOf(field.fields ?? [], (each, item) =>
          itemFieldsShown(
            { steps: [{ name: 'only', title: field.title, fields: [field] }] },
            field,
            item,
            {},
          ).includes(each),
        ),
      ) as Answers[string];
    default: {
      if (field.pattern) {
        const pattern = new RegExp(field.pattern, 'u');
        const text = candidates.find((candidate) => pattern.test(candidate));
        if (text === undefined) throw new Error(`no candidate matches ${field.pattern}`);
        return text;
      }
      return 'Palm Trading'.padEnd(field.minLength ?? 0, '.').slice(0, field.maxLength ?? 200);
    }
  }
}

/** Answers that a whole form takes: every field that is shown. */
export function answersFor(form: ServiceForm): Answers {
  return answersOf(
    form.steps.flatMap((step) => step.fields),
    (field, answers) => isFieldShown(form, field, answers),
  );
}

// Where a document is asked for there is nothing to answer.
function answersOf(
  fields: readonly FormField[],
  isShown: (field: FormField, answers: Answers) => boolean,
): Answers {
  const answers: Answers = {};
  for (const field of fields)
    if (field.kind !== 'file' && isShown(field, answers)) answers[field.name] = answerFor(field);
  return answers;
}

/** Uploads what a service cannot do without; answers the attachment ids. */
export async function uploadRequired(
  app: Pick<TestApp, 'call'>,
  token: string,
  service: Service,
): Promise<string[]> {
  const ids: string[] = [];
  for (const rule of service.attachments.filter((candidate) => candidate.required)) {
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
    await app.call(uploadAttachment, {
      token,
      params: { attachmentId: body.attachmentId },
      body: content,
    });
    ids.push(body.attachmentId);
  }
  return ids;
}

/** A service that costs something, with its whole form. */
async function findPaidService(app: Pick<TestApp, 'call'>): Promise<Service> {
  const { body } = await app.call(getServices, { query: { PageSize: 100 } });
  const paid = body.items.find((item) => item.total > 0);
  return (await app.call(getService, { query: { serviceId: paid?.id ?? 0 } })).body;
}

/** A new request of a demo user for a service that costs something, made through the API. */
export async function insertDemoRequest(
  app: TestApp,
  username: string,
): Promise<{ requestId: number; requestNumber: string }> {
  const token = await app.signIn(username);
  const service = await findPaidService(app);
  const attachmentIds = await uploadRequired(app, token, service);
  const { status, body, refused } = await app.call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers: answersFor(service.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    },
  });
  if (status !== 200) throw new Error(`no demo request: ${JSON.stringify(refused)}`);
  return body;
}
