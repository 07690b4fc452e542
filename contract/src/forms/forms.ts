import { z } from 'zod';
import { condition, dateLimit } from './form-conditions.ts';
import { localizedText } from '../wire/languages.ts';

/** The kinds of field with one value, a list of choices, or an address. */
export const singleKinds = [
  'text',
  'longText',
  'number',
  'money',
  'date',
  'choice',
  'choices',
  'yesNo',
  'emiratesId',
  'mobile',
  'email',
  'iban',
  'trn',
  'nationality',
  'emirate',
  'address',
] as const;
/**
 * All kinds of field of a service form: single fields, a repeating group of them, and a document
 * within a step.
 */
export const fieldKinds = [...singleKinds, 'group', 'file'] as const;
export type FieldKind = (typeof fieldKinds)[number];

/**
 * The facts that the portal can suggest as an answer, from the account, UAE PASS or an earlier
 * request.
 */
export const prefillSources = [
  'applicantName',
  'mobile',
  'email',
  'emiratesId',
  'nationality',
  'birthDate',
  'address',
  'companyName',
  'tradeLicence',
] as const;

/** What the machine-readable zone of an identity card or a passport can answer. */
export const cardParts = [
  'name',
  'idNumber',
  'documentNumber',
  'birthDate',
  'expiryDate',
  'nationality',
] as const;
export type CardPart = (typeof cardParts)[number];

const name = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/);

const fieldParts = {
  name,
  title: localizedText,
  description: localizedText.optional(),
  required: z.boolean(),
  /** The text that is shown while a required answer is missing; made from the title without it. */
  requiredMessage: localizedText.optional(),
  /** Required while this condition is met, where `required` is false. */
  requiredWhen: condition.optional(),
  minLength: z.number().int().positive().optional(),
  maxLength: z.number().int().positive().optional(),
  pattern: z.string().optional(),
  /** Accepts also the Arabic letters of a vehicle plate; Latin ones are stored. */
  format: z.literal('vehiclePlate').optional(),
  /** The text that is shown when the answer does not match the pattern. */
  patternMessage: localizedText.optional(),
  minimum: z.number().int().optional(),
  maximum: z.number().int().optional(),
  formatMinimum: dateLimit.optional(),
  formatMaximum: dateLimit.optional(),
  oneOf: z
    .array(z.strictObject({ const: z.string(), title: localizedText }))
    .min(2)
    .optional(),
  prefill: z.enum(prefillSources).optional(),
  /** The answer is suggested from the machine-readable zone of a document of the form. */
  readFrom: z.strictObject({ attachment: name, part: z.enum(cardParts) }).optional(),
  /** A hidden field is neither asked nor stored. */
  showWhen: condition.optional(),
};

const singleField = z.strictObject({ kind: z.enum(singleKinds), ...fieldParts });

/**
 * One field of a form. Keywords of JSON Schema (`title`, `minLength`, `minimum`, `const` …) have
 * their meaning there. `minimum` and `maximum` of a money field are in fils. `formatMinimum` and
 * `formatMaximum` are for dates. `section` names a section of the step. A `group` asks its own
 * `fields` for each of `minItems` to `maxItems` items, each called `itemTitle`; a `file` is the
 * field of the document of the attachment rule `attachment`.
 */
export const formField = z.strictObject({
  kind: z.enum(fieldKinds),
  ...fieldParts,
  section: name.optional(),
  fields: z.array(singleField).min(1).optional(),
  itemTitle: localizedText.optional(),
  minItems: z.number().int().min(0).optional(),
  maxItems: z.number().int().positive().optional(),
  attachment: name.optional(),
});
export type FormField = z.infer<typeof formField>;

/** A part of a step under its own heading. */
export const formSection = z.strictObject({
  name,
  title: localizedText,
  description: localizedText.optional(),
  showWhen: condition.optional(),
});
export type FormSection = z.infer<typeof formSection>;

/**
 * One page of a form: one topic. The fields of a section are adjacent; fields without a section
 * stand alone.
 */
export const formStep = z.strictObject({
  name,
  title: localizedText,
  description: localizedText.optional(),
  showWhen: condition.optional(),
  sections: z.array(formSection).min(1).optional(),
  fields: z.array(formField).min(1),
});

/**
 * The form of a service. Field names are unique over all steps. `check-form.ts` holds the other
 * rules.
 */
export const serviceForm = z.strictObject({ steps: z.array(formStep).min(1) });
export type ServiceForm = z.infer<typeof serviceForm>;

/** The media types that the product accepts, determined by content. */
export const mediaTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;

/**
 * A document that a service requires. `maximumBytes` is for one file, `maximumCount` counts files.
 */
export const attachmentRule = z.strictObject({
  name,
  title: localizedText,
  description: localizedText.optional(),
  required: z.boolean(),
  mediaTypes: z.array(z.enum(mediaTypes)).min(1),
  maximumBytes: z.number().int().positive(),
  maximumCount: z.number().int().min(1).max(10),
});
export type AttachmentRule = z.infer<typeof attachmentRule>;

const single = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.record(z.string(), z.string()),
]);

/**
 * The answers to a form, by field name. Choices are lists, yes/no is a boolean, numbers are
 * numbers, money is in fils, an address is an object of texts (`address-answers.ts`), a group is a
 * list of objects by the names of its own fields; every other kind is a text. Files have no answer.
 */
export const answers = z.record(
  z.string(),
  z.union([single, z.array(z.record(z.string(), single))]),
);
export type Answers = z.infer<typeof answers>;

/**
 * Answers before validation. Only `checkAnswers` validates them and names each issue by its field.
 */
export const sentAnswers = z.record(z.string(), z.unknown());
