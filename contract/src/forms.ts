import { z } from 'zod';
import { localizedText } from './languages.ts';

/** The kinds of field that a service's form can hold; a document is not a field but an `attachmentRule`. */
export const fieldKinds = [
  'text', 'longText', 'number', 'money', 'date', 'choice', 'choices', 'yesNo',
  'emiratesId', 'mobile', 'email', 'iban', 'trn', 'nationality', 'emirate',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** A date limit: a day such as `2026-01-31`, or a day counted from today in Asia/Dubai: `today`, `today+30`, `today-6570`. */
const dateLimit = z.string().regex(/^(\d{4}-\d{2}-\d{2}|today([+-]\d{1,5})?)$/);

/** Shows the field only while another field of the same form holds one of the values; a field not shown is not asked and not kept. */
const condition = z.strictObject({ field: z.string(), in: z.array(z.union([z.string(), z.boolean()])).min(1) });

/**
 * One question of a form. Words that JSON Schema has (`title`, `minLength`, `minimum`, `const` …) mean what they mean there.
 * `minimum` and `maximum` of a money field are fils. `formatMinimum` and `formatMaximum` are for dates.
 */
export const formField = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/),
  kind: z.enum(fieldKinds),
  title: localizedText,
  description: localizedText.optional(),
  required: z.boolean(),
  minLength: z.number().int().positive().optional(),
  maxLength: z.number().int().positive().optional(),
  pattern: z.string().optional(),
  /** What the pattern asks for, in words; shown when the answer does not match it. */
  patternMessage: localizedText.optional(),
  minimum: z.number().int().optional(),
  maximum: z.number().int().optional(),
  formatMinimum: dateLimit.optional(),
  formatMaximum: dateLimit.optional(),
  oneOf: z.array(z.strictObject({ const: z.string(), title: localizedText })).min(2).optional(),
  showWhen: condition.optional(),
});
export type FormField = z.infer<typeof formField>;

/** One page of a form: one topic. */
export const formStep = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/),
  title: localizedText,
  description: localizedText.optional(),
  fields: z.array(formField).min(1),
});

/** The form of a service. Field names are unique over all steps. */
export const serviceForm = z.strictObject({ steps: z.array(formStep).min(1) });
export type ServiceForm = z.infer<typeof serviceForm>;

/** Media types that the product takes, judged by content. */
export const mediaTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;

/** A document that a service asks for. `maximumBytes` is for one file, `maximumCount` counts files. */
export const attachmentRule = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/),
  title: localizedText,
  description: localizedText.optional(),
  required: z.boolean(),
  mediaTypes: z.array(z.enum(mediaTypes)).min(1),
  maximumBytes: z.number().int().positive(),
  maximumCount: z.number().int().min(1).max(10),
});
export type AttachmentRule = z.infer<typeof attachmentRule>;

/** What a person typed: by field name. Choices are lists, yes/no is a boolean, numbers are numbers, money is fils, the rest is text. */
export const answers = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));
export type Answers = z.infer<typeof answers>;
