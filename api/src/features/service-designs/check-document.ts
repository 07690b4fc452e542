import { listFeeProblems } from '@diwan/contract/catalogue/check-fees';
import type { DesignProblem, DesignProblemCode } from '@diwan/contract/catalogue/service-designs';
import {
  availabilityOn,
  serviceDocument,
  type DraftDocument,
} from '@diwan/contract/catalogue/service-document';
import { listFormProblems } from '@diwan/contract/forms/check-form';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { findTextWarnings } from '@diwan/contract/wire/text-warnings';
import type { References } from './references.store.ts';

type Params = DesignProblem['params'];
type Add = (code: DesignProblemCode, place: string, params?: Params) => void;

/** With more fields a step is hard to fill in on a phone. */
const maximumComfortableFields = 15;
const maximumProblems = 300;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: Record<string, unknown>): value is LocalizedText =>
  languages.every((language) => typeof value[language] === 'string');

/** Calls `visit` with every text in three languages, and its place. */
function walkTexts(
  value: unknown,
  place: string,
  visit: (text: LocalizedText, place: string) => void,
): void {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) walkTexts(each, join(place, index), visit);
    return;
  }
  if (!isObject(value)) return;
  if (isText(value)) return visit(value, place);
  for (const [key, each] of Object.entries(value)) walkTexts(each, join(place, key), visit);
}

const join = (...parts: (string | number)[]) => parts.filter((part) => part !== '').join('.');

function checkTexts(document: DraftDocument, add: Add): void {
  walkTexts(document, '', (text, place) => {
    for (const { kind, language } of findTextWarnings(text))
      add(kind === 'missing' ? 'textMissing' : kind, place, { language });
  });
}

/** The code of a shape that the finished document must have, by the place of the issue. */
function codeOfShape(path: readonly PropertyKey[], problem: string): DesignProblemCode | undefined {
  const last = String(path.at(-1));
  const place = path.map(String).join('.');
  const named: Record<string, DesignProblemCode> = {
    replacedName: 'addressUnusable',
    agencyId: 'agencyMissing',
    categoryId: 'categoryMissing',
    accountTypeIds: 'accountTypeMissing',
    steps: 'stepsMissing',
    'form.steps': 'formEmpty',
    workingDays: 'workingDaysUnusable',
    objectionDays: 'objectionDaysUnusable',
  };
  if (named[place]) return named[place];
  if (languages.some((language) => language === last)) return undefined;
  if (path[0] === 'eligibility') return 'eligibilityUnusable';
  const codes: Record<string, DesignProblemCode> = {
    name: 'nameUnusable',
    attachment: 'documentUnknown',
    mediaTypes: 'mediaTypesMissing',
    vatRate: 'vatUnusable',
    oneOf: 'optionsMissing',
  };
  // The check of fees names them.
  if (last === 'percentOf') return undefined;
  if (last === 'rate' || last === 'maximum') return 'feePercentageUnusable';
  if (last === 'amount') return problem === 'too_big' ? 'feeTooLarge' : 'feeNegative';
  if (last === 'fields') return path.length > 4 ? 'groupEmpty' : 'stepEmpty';
  return codes[last] ?? 'shapeWrong';
}

function checkShape(document: DraftDocument, add: Add): void {
  const read = serviceDocument.safeParse(document);
  for (const { path, message, code: problem } of read.error?.issues ?? []) {
    const place = path.map(String).join('.');
    const code = codeOfShape(path, problem);
    if (code === 'eligibilityUnusable')
      add(code, path.slice(0, 2).map(String).join('.'), { detail: message });
    else if (code) add(code, place, code === 'shapeWrong' ? { detail: message } : {});
  }
}

function checkFees({ fees, form }: DraftDocument, add: Add): void {
  for (const { code, place, params } of listFeeProblems(form, fees))
    add(code, `fees.${place}`, params);
}

/** What a document refers to. `publishedAddress`: its name in addresses, once it is published. */
interface CheckedAgainst {
  references: References;
  publishedAddress: string | undefined;
  /** YYYY-MM-DD in Asia/Dubai. */
  today: string;
}

function checkReferences(
  document: DraftDocument,
  { references, publishedAddress }: CheckedAgainst,
  add: Add,
): void {
  const { agencyId, categoryId, accountTypeIds, workflowId, replacedName } = document;
  if (agencyId !== null && !references.agencyIds.has(agencyId)) add('agencyMissing', 'agencyId');
  if (categoryId !== null && !references.categoryIds.has(categoryId))
    add('categoryMissing', 'categoryId');
  if (accountTypeIds.some((id) => !references.accountTypeIds.has(id)))
    add('accountTypeUnknown', 'accountTypeIds');
  if (workflowId !== null && !references.workflowIds.has(workflowId))
    add('workflowUnknown', 'workflowId');
  if (publishedAddress !== undefined && publishedAddress !== replacedName)
    add('addressFixed', 'replacedName', { name: publishedAddress });
  else if (references.isAddressTaken) add('addressTaken', 'replacedName', { name: replacedName });
}

function checkDates(
  document: DraftDocument,
  { references, today }: CheckedAgainst,
  add: Add,
): void {
  const { availableFrom, availableUntil } = document;
  if (availableFrom !== null && availableUntil !== null && availableUntil < availableFrom)
    add('availabilityReversed', 'availableUntil');
  else if (availabilityOn(document, today) === 'ended') add('availabilityOver', 'availableUntil');
  if (document.workingDays === 0) add('noWorkingDays', 'workingDays');
  for (const [index, { elsewhere }] of document.eligibility.entries())
    if (elsewhere !== undefined && !references.addresses.has(elsewhere))
      add('elsewhereUnknown', `eligibility.${index}.elsewhere`, { name: elsewhere });
}

const warnings: readonly DesignProblemCode[] = [
  'sameAsEnglish',
  'wrongScript',
  'placeholder',
  'muchLonger',
  'elsewhereUnknown',
  'availabilityOver',
  'noWorkingDays',
  'longStep',
];

/** The problems of a draft, errors first, each place and code once. */
export function findDesignProblems(
  document: DraftDocument,
  against: CheckedAgainst,
): DesignProblem[] {
  const problems = new Map<string, DesignProblem>();
  const add: Add = (code, place, params = {}) => {
    const key = `${code} ${place} ${params.language ?? ''}`;
    if (!problems.has(key))
      problems.set(key, {
        severity: warnings.includes(code) ? 'warning' : 'error',
        code,
        place,
        params,
      });
  };
  checkTexts(document, add);
  checkShape(document, add);
  const attachments = document.attachments.map(({ name }) => name);
  for (const { code, place, params } of listFormProblems(document.form, attachments))
    add(code, join('form', place), params);
  for (const [index, name] of attachments.entries())
    if (attachments.indexOf(name) < index)
      add('documentNameTwice', `attachments.${index}.name`, { name });
  checkFees(document, add);
  checkReferences(document, against, add);
  checkDates(document, against, add);
  for (const [index, { fields }] of document.form.steps.entries())
    if (fields.length > maximumComfortableFields)
      add('longStep', `form.steps.${index}`, { count: fields.length });
  return [...problems.values()]
    .toSorted((one, other) => one.severity.localeCompare(other.severity))
    .slice(0, maximumProblems);
}

/** Whether a draft can be published. */
export const isPublishable = (problems: readonly DesignProblem[]): boolean =>
  problems.every(({ severity }) => severity === 'warning');
