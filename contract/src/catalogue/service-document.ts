import { z } from 'zod';
import {
  attachmentRule,
  draftAttachmentRule,
  draftForm,
  serviceForm,
  type AttachmentRule,
  type ServiceForm,
} from '../forms/forms.ts';
import { isRealDay } from '../wire/days.ts';
import { recordId } from '../wire/ids.ts';
import { draftText, localizedText } from '../wire/languages.ts';
import { isVatTreatment } from '../wire/money.ts';
import { eligibilityRules, type EligibilityRule } from './eligibility.ts';
import {
  type FeeRule,
  feeRule,
  isPercentageComplete,
  maximumObjectionDays,
  withdrawalRule,
} from './fees.ts';

/** The largest document of a service as JSON, in characters: about the largest form three times. */
export const maximumDocumentLength = 600_000;

const id = recordId;
const day = z.string().refine(isRealDay, 'is no day');

const facts = {
  issuesDocument: z.boolean(),
  withdrawal: withdrawalRule,
  objectionDays: z.int().min(0).max(maximumObjectionDays),
  workingDays: z.int().min(0).max(365),
  /** The workflow of new requests; null for the one of services in general. */
  workflowId: id.nullable(),
  /** The first and the last day, in Asia/Dubai, on which requests can be sent. */
  availableFrom: day.nullable(),
  availableUntil: day.nullable(),
};

/**
 * A service as a document: everything that its designer publishes, in every language.
 * `replacedName` is its name in addresses, which does not change after the first publication.
 */
export const serviceDocument = z.strictObject({
  replacedName: z
    .string()
    .max(120)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: localizedText,
  description: localizedText,
  agencyId: id,
  categoryId: id,
  accountTypeIds: z.array(id).min(1).max(20),
  form: serviceForm,
  attachments: z.array(attachmentRule).max(50),
  eligibility: eligibilityRules,
  fees: z
    .array(
      feeRule
        .refine(isVatTreatment, { path: ['vatRate'] })
        .refine(isPercentageComplete, { path: ['percentOf'] }),
    )
    .max(50),
  terms: localizedText,
  steps: z.array(localizedText).min(1).max(30),
  result: localizedText,
  ...facts,
});
export type ServiceDocument = z.infer<typeof serviceDocument>;

const draftDocumentShape = z.strictObject({
  replacedName: z.string().max(120),
  name: draftText,
  description: draftText,
  agencyId: id.nullable(),
  categoryId: id.nullable(),
  accountTypeIds: z.array(id).max(20),
  form: draftForm,
  attachments: z.array(draftAttachmentRule).max(50),
  eligibility: z
    .array(
      z.looseObject({
        kind: z.enum([
          'account',
          'standing',
          'nationality',
          'age',
          'licence',
          'emirate',
          'statement',
        ]),
        name: z.string().max(60),
      }),
    )
    .max(12),
  fees: z
    .array(
      feeRule.extend({
        name: z.string().max(60),
        title: draftText,
        amount: z.int(),
        vatRate: z.int(),
        rate: z.int().optional(),
        maximum: z.int().optional(),
      }),
    )
    .max(50),
  terms: draftText,
  steps: z.array(draftText).max(30),
  result: draftText,
  ...facts,
  workingDays: z.int(),
  objectionDays: z.int(),
});

/**
 * A document while it is edited: texts, names and lists may be empty, numbers out of range, and the
 * agency and the category not chosen yet.
 */
export interface DraftDocument extends Omit<ServiceDocument, 'agencyId' | 'categoryId'> {
  agencyId: number | null;
  categoryId: number | null;
  form: ServiceForm;
  attachments: AttachmentRule[];
  eligibility: EligibilityRule[];
  fees: FeeRule[];
}

/** The shape of a draft. An eligibility rule that is not complete has the type of a complete one. */
export const draftDocument = draftDocumentShape as unknown as z.ZodType<
  DraftDocument,
  DraftDocument
>;

/** Whether requests can be sent on a day (YYYY-MM-DD in Asia/Dubai). */
export function availabilityOn(
  { availableFrom, availableUntil }: Pick<ServiceDocument, 'availableFrom' | 'availableUntil'>,
  today: string,
): 'open' | 'notYet' | 'ended' {
  if (availableFrom !== null && today < availableFrom) return 'notYet';
  return availableUntil !== null && today > availableUntil ? 'ended' : 'open';
}
