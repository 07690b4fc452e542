import { z } from 'zod';
import { agencyCalendar, calendar } from '@diwan/contract/calendars/calendars';
import { accountTypeIds } from '@diwan/contract/catalogue/account-types';
import { listFeeProblems } from '@diwan/contract/catalogue/check-fees';
import { eligibilityRules } from '@diwan/contract/catalogue/eligibility';
import {
  discountRules,
  feeRule,
  maximumObjectionDays,
  usualObjectionDays,
  usualWithdrawalRule,
  withdrawalRule,
  type FeeRule,
} from '@diwan/contract/catalogue/fees';
import { attachmentType } from '@diwan/contract/content/attachment-types';
import { savePortalDetails } from '@diwan/contract/content/portal-details';
import { findFormProblems } from '@diwan/contract/forms/check-form';
import { emirates } from '@diwan/contract/forms/emirates';
import { attachmentRule, serviceForm, type ServiceForm } from '@diwan/contract/forms/forms';
import { companyDetails } from '@diwan/contract/forms/parties';
import { reasonKinds, reasonSubjects } from '@diwan/contract/requests/rejection-reasons';
import { roles } from '@diwan/contract/wire/call';
import { languages, localizedText } from '@diwan/contract/wire/languages';

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const oursIn = z.array(z.enum(languages));

// Refuses two items of a list with the same name.
function unique<T>(what: string, nameOf: (item: T) => string | number | undefined) {
  return (list: T[], context: z.RefinementCtx) => {
    const names = list.map(nameOf).filter((name) => name !== undefined);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      context.addIssue({ code: 'custom', message: `${what} ${twice} is there twice` });
  };
}

function listOf<T extends z.ZodType<{ slug: string }>>(item: T) {
  return z
    .array(item)
    .min(1)
    .superRefine(unique<z.output<T>>('slug', ({ slug: name }) => name));
}

export const agencies = listOf(
  z.strictObject({
    slug,
    name: localizedText,
    oursIn,
    discounts: discountRules.default([]),
    emirate: z.enum(emirates).optional(),
  }),
);
export const categories = listOf(
  z.strictObject({ slug, name: localizedText, description: localizedText, oursIn }),
);
export const accountTypes = listOf(
  z.strictObject({
    accountTypeId: z.int(),
    slug,
    name: localizedText,
    alt: localizedText,
    description: localizedText,
  }),
);

const fees = z.array(feeRule).superRefine(unique('fee', (line) => line.name));

// A form that cannot be filled in stops the start, with one line for each problem.
function checkFormFile(
  file: { form: ServiceForm; attachments: { name: string }[]; fees: FeeRule[] },
  context: z.RefinementCtx,
): void {
  for (const message of findFormProblems(
    file.form,
    file.attachments.map((rule) => rule.name),
  ))
    context.addIssue({ code: 'custom', message, path: ['form'] });
  for (const { message, place } of listFeeProblems(file.form, file.fees))
    context.addIssue({ code: 'custom', message, path: ['fees', place] });
}

/** A form file: everything that the services of one kind share. */
export const formFile = z
  .strictObject({
    name: slug,
    form: serviceForm,
    attachments: z.array(attachmentRule).superRefine(unique('document', (rule) => rule.name)),
    fees,
    workingDays: z.int().min(0),
    terms: localizedText,
    steps: z.array(localizedText).min(1),
    result: localizedText,
    issuesDocument: z.boolean().default(false),
    withdrawal: withdrawalRule.default(usualWithdrawalRule),
    objectionDays: z.int().min(0).max(maximumObjectionDays).default(usualObjectionDays),
  })
  .superRefine(checkFormFile);
export type FormFile = z.output<typeof formFile>;

export const referralCodes = z
  .array(
    z.strictObject({
      code: z.string().regex(/^[A-Z0-9][A-Z0-9-]{2,39}$/),
      name: localizedText,
      validUntil: z.iso.datetime().optional(),
      mostUses: z.int().min(1).optional(),
    }),
  )
  .superRefine(unique('referral code', ({ code }) => code));

const personas = Object.keys(accountTypeIds) as (keyof typeof accountTypeIds)[];

export const services = z.array(
  z.strictObject({
    replacedName: slug,
    category: slug,
    persona: z.enum(personas),
    form: slug,
    name: localizedText,
    description: localizedText,
    oursIn: z.strictObject({ name: oursIn, description: oursIn }),
    popularRank: z.int().min(1).optional(),
    /** The choices of the form that fit this service, by field: `settle-choices.ts`. */
    choices: z.record(z.string(), z.array(z.union([z.string(), z.boolean()])).min(1)).optional(),
    // What differs from the other services with the same form.
    fees: fees.optional(),
    workingDays: z.int().min(0).optional(),
    terms: localizedText.optional(),
    steps: z.array(localizedText).min(1).optional(),
    result: localizedText.optional(),
  }),
);

/** Throws for fees of a service that do not fit its form. */
export function checkOwnFees(
  { replacedName, fees: own = [] }: z.output<typeof services>[number],
  { form }: FormFile,
): void {
  const [problem] = listFeeProblems(form, own);
  if (problem)
    throw new Error(`The service ${replacedName} of the seed cannot be used: ${problem.message}`);
}

/** All services of the seed, of all agencies. */
export const allServices = z
  .array(z.object({ agency: z.string(), service: services.element }))
  .superRefine(unique('service', ({ service }) => service.replacedName))
  .superRefine(unique('popular rank', ({ service }) => service.popularRank));
export type SeedService = z.output<typeof allServices>[number];

export const people = z.strictObject({
  password: z.string().min(12),
  companies: z.array(z.strictObject({ key: slug, name: localizedText, details: companyDetails })),
  partners: z.array(z.strictObject({ key: slug, name: localizedText, agencies: z.array(slug) })),
  accounts: z
    .array(
      z.strictObject({
        username: slug,
        fullName: z.string().min(1),
        fullNameAr: z.string().min(1),
        phoneNumber: z.string().regex(/^\+9715\d{8}$/),
        email: z.email(),
        emiratesId: z.string().regex(/^784-\d{4}-\d{7}-\d$/),
        roles: z.array(z.enum(roles)),
        /** Whose requests an employee sees. */
        agencies: z.union([z.literal('all'), z.array(slug).min(1)]).optional(),
        /** The right to read one request of another agency in an emergency. Decision 0154. */
        readsUrgently: z.boolean().default(false),
        company: slug.optional(),
        partner: slug.optional(),
      }),
    )
    .superRefine(unique('username', (account) => account.username))
    .superRefine(unique('Emirates ID', (account) => account.emiratesId)),
  /** Teams of agencies; their members see only the work of their teams. */
  teams: z.array(
    z.strictObject({
      agency: slug,
      name: z.string().min(1),
      members: z.array(slug),
      categories: z.array(slug),
    }),
  ),
});

export const attachmentTypes = z.array(
  attachmentType.omit({ id: true, isRetired: true, version: true }).required(),
);

export const rejectionReasons = z.array(
  z.object({
    kind: z.enum(reasonKinds).default('correction'),
    about: z.enum(reasonSubjects).optional(),
    name: localizedText,
  }),
);

/**
 * The eligibility rules of services. A service gets the rules of every entry that names it, or its
 * form and persona, in the order of the file.
 */
export const eligibility = z.array(
  z.strictObject({
    services: z.array(slug).min(1).optional(),
    forms: z.array(slug).min(1).optional(),
    personas: z.array(z.enum(personas)).optional(),
    except: z.array(slug).optional(),
    rules: eligibilityRules.min(1),
  }),
);

/** The portal's calendar, and what agencies declare themselves, by slug. */
export const calendars = z.strictObject({
  portal: calendar,
  agencies: z.record(slug, agencyCalendar),
});

export const details = savePortalDetails.body.omit({ version: true });
