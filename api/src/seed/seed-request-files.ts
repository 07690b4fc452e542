import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { dayOfLimit } from '@diwan/contract/wire/days';
import { answers, type Answers, type ServiceForm } from '@diwan/contract/forms/forms';
import { localizedText } from '@diwan/contract/wire/languages';
import { requestActions } from '@diwan/contract/requests/workflow';

const step = z.strictObject({
  by: z.string().optional(),
  action: z.enum(requestActions),
  hoursLater: z.number().min(0),
  reasons: z.array(z.int()).optional(),
  message: localizedText.optional(),
  results: z.array(z.string()).optional(),
  fines: z.int().optional(),
  fees: z.int().optional(),
  marks: z
    .array(
      z.strictObject({
        field: z.string(),
        reasonId: z.int().optional(),
        message: localizedText.optional(),
      }),
    )
    .optional(),
});
const demoRequest = z.strictObject({
  account: z.string(),
  service: z.string(),
  hoursAgo: z.number().min(0),
  answers: answers.optional(),
  steps: z.array(step),
});
const requestsFile = z.strictObject({
  applicants: z.record(z.string(), answers),
  services: z.record(z.string(), answers),
  requests: z.array(demoRequest),
});

export type DemoStep = z.output<typeof step>;
export type DemoRequest = z.output<typeof demoRequest>;
export type DemoRequests = z.output<typeof requestsFile>;

/** The demo's requests: who sends which, when, and what became of it. */
export async function readDemoRequests(): Promise<DemoRequests> {
  return requestsFile.parse(
    JSON.parse(await readFile(new URL('../../seed/requests.json', import.meta.url), 'utf8')),
  );
}

/**
 * The answers of a demo request as they were typed on a day: those of the applicant, of the
 * service, and its own; days such as `today+30` are days then.
 */
export function demoAnswers(
  demo: DemoRequests,
  account: string,
  service: string,
  own: Answers,
  form: ServiceForm,
  day: string,
): Answers {
  const all: Answers = { ...demo.applicants[account], ...demo.services[service], ...own };
  const fields = form.steps.flatMap((formStep) => formStep.fields);
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = all[name];
      if (value === undefined) return [];
      return [
        [name, kind === 'date' && typeof value === 'string' ? dayOfLimit(value, day) : value],
      ];
    }),
  );
}
