import { z } from 'zod';
import { draftText, localizedText, type LocalizedText } from '../wire/languages.ts';
import { condition, dateLimit } from './form-conditions.ts';

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
 * All kinds of field of a service form: single fields, a repeating group of them, a document within a
 * step, and the fines that a register names.
 */
export const fieldKinds = [...singleKinds, 'group', 'file', 'fines'] as const;
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

/** Personal data that the law protects specially. Sending it needs a consent of its own. */
export const specialData = ['health', 'biometrics', 'religion', 'children'] as const;
export type SpecialData = (typeof specialData)[number];

const name = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/);

/** Kinds of field of which one answer names a vehicle, a person or a file. */
export const fineKeyKinds: readonly string[] = [
  'text',
  'choice',
  'emirate',
  'emiratesId',
  'trn',
  'nationality',
  'date',
  'number',
];
/** The most fields by whose answers a register finds fines. */
export const maximumFineKeys = 5;
/** The most fines that one request pays. */
export const maximumChosenFines = 50;
/** The number of a fine, as registers write it. */
export const fineNumberPattern = /^[A-Za-z0-9-]{1,40}$/;

interface FormRules {
  text: z.ZodType<LocalizedText, LocalizedText>;
  name: z.ZodType<string, string>;
  /** The smallest number of steps, and of fields in a step. */
  least: number;
  /** The smallest number of choices, and of sections where there are any. */
  leastOf: { choices: number; sections: number };
}

/** The shapes of a form and its parts. Those of a form that is edited accept what is unfinished. */
function shapesOf({ text, name: fieldName, least, leastOf }: FormRules) {
  const fieldParts = {
    name: fieldName,
    title: text,
    description: text.optional(),
    required: z.boolean(),
    /** The text that is shown while a required answer is missing; made from the title without it. */
    requiredMessage: text.optional(),
    /** Required while this condition is met, where `required` is false. */
    requiredWhen: condition.optional(),
    minLength: z.number().int().positive().optional(),
    maxLength: z.number().int().positive().optional(),
    pattern: z.string().optional(),
    /** Accepts also the Arabic letters of a vehicle plate; Latin ones are stored. */
    format: z.literal('vehiclePlate').optional(),
    /** The text that is shown when the answer does not match the pattern. */
    patternMessage: text.optional(),
    minimum: z.number().int().optional(),
    maximum: z.number().int().optional(),
    formatMinimum: dateLimit.optional(),
    formatMaximum: dateLimit.optional(),
    oneOf: z
      .array(z.strictObject({ const: z.string(), title: text }))
      .min(leastOf.choices)
      .optional(),
    prefill: z.enum(prefillSources).optional(),
    /** The answer is suggested from the machine-readable zone of a document of the form. */
    readFrom: z.strictObject({ attachment: fieldName, part: z.enum(cardParts) }).optional(),
    /** The answer is special data of this kind: see `special-data.ts`. */
    special: z.enum(specialData).optional(),
    /** A hidden field is neither asked nor stored. */
    showWhen: condition.optional(),
  };
  const singleField = z.strictObject({ kind: z.enum(singleKinds), ...fieldParts });
  const field = z.strictObject({
    kind: z.enum(fieldKinds),
    ...fieldParts,
    section: fieldName.optional(),
    fields: z.array(singleField).min(least).optional(),
    itemTitle: text.optional(),
    minItems: z.number().int().min(0).optional(),
    maxItems: z.number().int().positive().optional(),
    attachment: fieldName.optional(),
    /** Of fines: the register that names them, and the fields by whose answers it finds them. */
    register: fieldName.optional(),
    findBy: z.array(fieldName).min(least).max(maximumFineKeys).optional(),
    /** Of fines: all that are due are paid; nobody chooses, and nothing may be due. */
    payAll: z.boolean().optional(),
  });
  const section = z.strictObject({
    name: fieldName,
    title: text,
    description: text.optional(),
    showWhen: condition.optional(),
  });
  const step = z.strictObject({
    name: fieldName,
    title: text,
    description: text.optional(),
    showWhen: condition.optional(),
    sections: z.array(section).min(leastOf.sections).optional(),
    fields: z.array(field).min(least),
  });
  return { field, section, step, form: z.strictObject({ steps: z.array(step).min(least) }) };
}

const shapes = shapesOf({
  text: localizedText,
  name,
  least: 1,
  leastOf: { choices: 2, sections: 1 },
});

/**
 * One field of a form. Keywords of JSON Schema (`title`, `minLength`, `minimum`, `const` …) have
 * their meaning there. `minimum` and `maximum` of a money field are in fils. `formatMinimum` and
 * `formatMaximum` are for dates. `section` names a section of the step. A `group` asks its own
 * `fields` for each of `minItems` to `maxItems` items, each called `itemTitle`; a `file` is the
 * field of the document of the attachment rule `attachment`. The answer to `fines` is the list of the
 * numbers that the applicant chose; with `payAll` the server writes those that are due.
 */
export type FormField = z.infer<typeof shapes.field>;

/** A part of a step under its own heading. */
export type FormSection = z.infer<typeof shapes.section>;

/**
 * The form of a service. Field names are unique over all steps. `check-form.ts` holds the other
 * rules.
 */
export const serviceForm = shapes.form;
export type ServiceForm = z.infer<typeof serviceForm>;

/** A form while it is edited: texts, names and lists may be empty. */
export const draftForm = shapesOf({
  text: draftText,
  name: z.string().max(60),
  least: 0,
  leastOf: { choices: 0, sections: 0 },
}).form;

/** The media types that the product accepts, determined by content. */
export const mediaTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;

const ruleOf = (text: FormRules['text'], ruleName: FormRules['name'], least: number) =>
  z.strictObject({
    name: ruleName,
    title: text,
    description: text.optional(),
    required: z.boolean(),
    mediaTypes: z.array(z.enum(mediaTypes)).min(least),
    maximumBytes: z.number().int().positive(),
    maximumCount: z.number().int().min(1).max(10),
    special: z.enum(specialData).optional(),
  });

/**
 * A document that a service requires. `maximumBytes` is for one file, `maximumCount` counts files.
 */
export const attachmentRule = ruleOf(localizedText, name, 1);
export type AttachmentRule = z.infer<typeof attachmentRule>;

/** A document while its service is edited. */
export const draftAttachmentRule = ruleOf(draftText, z.string().max(60), 0);

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
