import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { answers, type Answers, type ServiceForm } from '@diwan/contract/forms/forms';
import { requestActions } from '@diwan/contract/requests/actions';
import { resolveDateLimit } from '@diwan/contract/wire/days';
import { localizedText } from '@diwan/contract/wire/languages';

const step = z.strictObject({
  by: z.string().optional(),
  action: z.enum(requestActions),
  hoursLater: z.number().min(0),
  reasons: z.array(z.int()).optional(),
  message: localizedText.optional(),
  results: z.array(z.string()).optional(),
  fines: z.int().optional(),
  fees: z.int().optional(),
  /** Such as `today+30`, from the day of the step. */
  holdUntil: z.string().optional(),
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

/** Reads the requests of the demo and their steps. */
export async function readDemoRequests(): Promise<DemoRequests> {
  return requestsFile.parse(
    JSON.parse(await readFile(new URL('../../seed/requests.json', import.meta.url), 'utf8')),
  );
}

/**
 * The answers of a demo request on a day: those of the applicant, of the service, and its own. Dates
 * such as `today+30` are relative to the day.
 */
export function demoAnswers(
  { applicants, services }: DemoRequests,
  { account, service, answers: own }: DemoRequest,
  form: ServiceForm,
  day: string,
): Answers {
  const all: Answers = { ...applicants[account], ...services[service], ...own };
  const fields = form.steps.flatMap((formStep) => formStep.fields);
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = all[name];
      if (value === undefined) return [];
      return [
        [name, kind === 'date' && typeof value === 'string' ? resolveDateLimit(value, day) : value],
      ];
    }),
  );
}
