import type { Caller } from '#platform/auth/caller.ts';
import { checkAnswers } from '@diwan/contract/forms/check-answers';
import { prefillSources, type FormField, type ServiceForm } from '@diwan/contract/forms/forms';
import type { getPrefill, PrefillOrigin } from '@diwan/contract/requests/drafts';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { writerOf, type DraftsContext } from './drafts.actions.ts';
import * as store from './prefill.store.ts';

type Source = (typeof prefillSources)[number];
type Prefill = ReplyOf<typeof getPrefill>;
type Suggestion = Prefill['fields'][number];
type Known = Partial<Record<Source, { value: string; origin: PrefillOrigin }>>;

/** The sources of common fields, for forms that do not declare them. */
const meanings: Readonly<Record<string, Source>> = {
  applicantName: 'applicantName',
  applicantMobile: 'mobile',
  applicantEmail: 'email',
  applicantEmiratesId: 'emiratesId',
  applicantNationality: 'nationality',
  applicantBirthDate: 'birthDate',
};
/**
 * The kinds of fields whose answers stay valid from one request to the next. Choices and amounts do
 * not.
 */
const reusableKinds: readonly FormField['kind'][] = [
  'text',
  'emiratesId',
  'mobile',
  'email',
  'iban',
  'trn',
  'nationality',
  'emirate',
  'address',
];
const reusableTextNames =
  /(name|address|area|licence|establishment|passport|file|bank|plate|profession|employer)/i;
/** Answers about the company that colleagues can reuse. Answers about a person are not shared. */
const companySources: readonly Source[] = ['companyName', 'tradeLicence'];
const companyFieldNames =
  /^(company|establishment|trade|premises|warehouse)(Name|Number|Licence|LicenceNumber|Address|Area)$/;
const maximumEarlier = 20;

const sourceOf = (field: FormField): Source | undefined => field.prefill ?? meanings[field.name];

async function getKnownValues(
  context: DraftsContext,
  caller: Caller,
  language: Language,
): Promise<Known> {
  const user = await store.getKnownDetails(context.database, caller.userId);
  const verified: PrefillOrigin = user.uaepass_id === null ? 'profile' : 'uaePass';
  const forCompany = writerOf(caller).companyId !== null;
  const own = (value: string | null | undefined, origin: PrefillOrigin) =>
    value ? { value, origin } : undefined;
  const found: Record<string, { value: string; origin: PrefillOrigin } | undefined> = {
    applicantName: own(
      language === 'ar-EG' ? (user.full_name_ar ?? user.full_name) : user.full_name,
      verified,
    ),
    mobile: own(user.phone_number, 'profile'),
    email: own(user.email, 'profile'),
    emiratesId: own(user.emirates_id, verified) ?? own(user.typed_emirates_id, 'profile'),
    nationality: own(user.nationality, verified),
    ...(forCompany
      ? {
          companyName: own(user.company_name?.[language], 'profile'),
          tradeLicence: own(user.licence_number, 'profile'),
        }
      : {}),
  };
  return Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined)) as Known;
}

/**
 * Returns the value if it is valid for the field. A value that was valid in an earlier form may not
 * be.
 */
function valueIfValid(form: ServiceForm, field: FormField, value: unknown, today: string): unknown {
  const alone: ServiceForm = {
    steps: form.steps.slice(0, 1).map((step) => ({
      name: step.name,
      title: step.title,
      fields: [{ ...field, section: undefined, showWhen: undefined, requiredWhen: undefined }],
    })),
  };
  return checkAnswers(alone, { [field.name]: value }, today).answers[field.name];
}

function isReusable(field: FormField): boolean {
  return (
    sourceOf(field) !== undefined ||
    (reusableKinds.includes(field.kind) &&
      (field.kind !== 'text' || reusableTextNames.test(field.name)))
  );
}

function isCompanyField(field: FormField): boolean {
  const source = sourceOf(field);
  return source === undefined || source === 'address'
    ? field.kind === 'trn' || companyFieldNames.test(field.name)
    : companySources.includes(source);
}

/**
 * Finds the answer in the newest request with such a field: by its source, else by name, kind and
 * title, because fields of the same name can mean different licences.
 */
function findEarlierAnswer(
  form: ServiceForm,
  field: FormField,
  earlier: readonly store.EarlierRequest[],
  today: string,
): Suggestion | undefined {
  if (!isReusable(field)) return undefined;
  const source = sourceOf(field);
  for (const { number, form: theirs, answers } of earlier) {
    const same = theirs.steps
      .flatMap((step) => step.fields)
      .find(
        (other) =>
          other.kind === field.kind &&
          ((other.name === field.name && other.title['en-US'] === field.title['en-US']) ||
            (source !== undefined && sourceOf(other) === source)),
      );
    const value =
      same && Object.hasOwn(answers, same.name)
        ? valueIfValid(form, field, answers[same.name], today)
        : undefined;
    if (value !== undefined)
      return { name: field.name, value, origin: 'earlierRequest', requestNumber: number };
  }
  return undefined;
}

/**
 * Suggests answers for a form. Answers of earlier requests require the person's consent. `today` is
 * YYYY-MM-DD in Asia/Dubai.
 */
export async function suggestAnswers(
  context: DraftsContext,
  caller: Caller,
  serviceId: number,
  { today, language }: { today: string; language: Language },
): Promise<Prefill> {
  const { form } = await context.catalogue.getDetails(serviceId);
  const fields = form.steps.flatMap((step) => step.fields);
  const known = await getKnownValues(context, caller, language);
  const isAgreed = await store.hasAgreed(context.database, caller.userId);
  const own = fields.flatMap((field): Suggestion[] => {
    const one = known[sourceOf(field) ?? 'address'];
    const value = one && valueIfValid(form, field, one.value, today);
    return one && value !== undefined ? [{ name: field.name, value, origin: one.origin }] : [];
  });
  const rest = fields.filter((field) => !own.some(({ name }) => name === field.name));
  const earlier = await store.selectEarlier(context.database, writerOf(caller), maximumEarlier);
  const byCaller = earlier.filter((request) => request.user_id === caller.userId);
  const found = rest.flatMap(
    (field) =>
      findEarlierAnswer(form, field, isCompanyField(field) ? earlier : byCaller, today) ?? [],
  );
  return { fields: isAgreed ? [...own, ...found] : own, isAgreed, hasEarlier: found.length > 0 };
}

/** Stores whether the person agrees to suggestions from earlier requests. */
export async function setConsent(
  context: DraftsContext,
  caller: Caller,
  isAgreed: boolean,
): Promise<{ isAgreed: boolean }> {
  await store.setAgreed(context.database, caller.userId, isAgreed);
  return { isAgreed };
}
