import { checkAnswers } from '@diwan/contract/forms/check-answers';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { getPrefill, PrefillOrigin } from '@diwan/contract/requests/drafts';
import { prefillSources, type FormField, type ServiceForm } from '@diwan/contract/forms/forms';
import type { Language } from '@diwan/contract/wire/languages';
import type { Caller } from '../../platform/auth/session.ts';
import { writerOf, type DraftsContext } from './drafts.actions.ts';
import * as store from './prefill.store.ts';

type Source = (typeof prefillSources)[number];
type Prefill = ReplyOf<typeof getPrefill>;
type Suggestion = Prefill['fields'][number];
type Known = Partial<Record<Source, { value: string; origin: PrefillOrigin }>>;

/** What these fields mean in every form, also where the form does not say so. */
const meanings: Readonly<Record<string, Source>> = {
  applicantName: 'applicantName',
  applicantMobile: 'mobile',
  applicantEmail: 'email',
  applicantEmiratesId: 'emiratesId',
  applicantNationality: 'nationality',
  applicantBirthDate: 'birthDate',
};
/**
 * What stays true of somebody from one request to the next; what a request was about does not, and
 * neither does a choice or a sum.
 */
const lasting: readonly FormField['kind'][] = [
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
const lastingText =
  /(name|address|area|licence|establishment|passport|file|bank|plate|profession|employer)/i;
/**
 * What a colleague filled in about the company serves the next one; what tells of a person, or
 * could, does not.
 */
const ofCompany: readonly Source[] = ['companyName', 'tradeLicence'];
const namesOfCompany =
  /^(company|establishment|trade|premises|warehouse)(Name|Number|Licence|LicenceNumber|Address|Area)$/;
const mostEarlier = 20;

const sourceOf = (field: FormField): Source | undefined => field.prefill ?? meanings[field.name];

async function readKnown(
  context: DraftsContext,
  caller: Caller,
  language: Language,
): Promise<Known> {
  const user = await store.getKnown(context.database, caller.userId);
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

/** The value if the field takes it; what was right in an earlier form need not be in this one. */
function fitting(form: ServiceForm, field: FormField, value: unknown, today: string): unknown {
  const alone: ServiceForm = {
    steps: form.steps.slice(0, 1).map((step) => ({
      name: step.name,
      title: step.title,
      fields: [{ ...field, section: undefined, showWhen: undefined, requiredWhen: undefined }],
    })),
  };
  return checkAnswers(alone, { [field.name]: value }, today).answers[field.name];
}

function isLasting(field: FormField): boolean {
  return (
    sourceOf(field) !== undefined ||
    (lasting.includes(field.kind) && (field.kind !== 'text' || lastingText.test(field.name)))
  );
}

function isOfCompany(field: FormField): boolean {
  const source = sourceOf(field);
  return source === undefined || source === 'address'
    ? field.kind === 'trn' || namesOfCompany.test(field.name)
    : ofCompany.includes(source);
}

/**
 * From the newest request that has such an answer: by what the field means, else by its name, kind
 * and title: a licence number is not always that of the same licence.
 */
function fromEarlier(
  form: ServiceForm,
  field: FormField,
  earlier: readonly store.EarlierRequest[],
  today: string,
): Suggestion | undefined {
  if (!isLasting(field)) return undefined;
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
        ? fitting(form, field, answers[same.name], today)
        : undefined;
    if (value !== undefined)
      return { name: field.name, value, origin: 'earlierRequest', requestNumber: number };
  }
  return undefined;
}

/**
 * What the portal knows already for a form; from earlier requests only where the person has agreed.
 * `today` is YYYY-MM-DD in Asia/Dubai.
 */
export async function suggestAnswers(
  context: DraftsContext,
  caller: Caller,
  serviceId: number,
  today: string,
  language: Language,
): Promise<Prefill> {
  const { form } = context.catalogue.getService(serviceId);
  const fields = form.steps.flatMap((step) => step.fields);
  const known = await readKnown(context, caller, language);
  const isAgreed = await store.hasAgreed(context.database, caller.userId);
  const own = fields.flatMap((field): Suggestion[] => {
    const one = known[sourceOf(field) ?? 'address'];
    const value = one && fitting(form, field, one.value, today);
    return one && value !== undefined ? [{ name: field.name, value, origin: one.origin }] : [];
  });
  const rest = fields.filter((field) => !own.some(({ name }) => name === field.name));
  const earlier = await store.selectEarlier(context.database, writerOf(caller), mostEarlier);
  const byCaller = earlier.filter((request) => request.user_id === caller.userId);
  const found = rest.flatMap(
    (field) => fromEarlier(form, field, isOfCompany(field) ? earlier : byCaller, today) ?? [],
  );
  return { fields: isAgreed ? [...own, ...found] : own, isAgreed, hasEarlier: found.length > 0 };
}

/** Whether a person lets us suggest what they gave before; they can take it back. */
export async function setConsent(
  context: DraftsContext,
  caller: Caller,
  isAgreed: boolean,
): Promise<{ isAgreed: boolean }> {
  await store.setAgreed(context.database, caller.userId, isAgreed);
  return { isAgreed };
}
