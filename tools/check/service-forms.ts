// npm run check: what every form of the seed has to do beside being usable; with --write it also
// writes docs/service-forms-table.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formOfService, readSeedFiles, type SeedFiles } from '../../api/src/seed/seed-files.ts';
import type { FormFile } from '../../api/src/seed/seed-shapes.ts';
import { listFeeProblems } from '../../contract/src/catalogue/check-fees.ts';
import type { FeeRule } from '../../contract/src/catalogue/fees.ts';
import { findFormProblems } from '../../contract/src/forms/check-form.ts';
import type { Condition } from '../../contract/src/forms/form-conditions.ts';
import type { FormField } from '../../contract/src/forms/forms.ts';

/** The highest reading age of the English of a form, in years (Flesch-Kincaid grade plus five). */
const maximumReadingAge = 13;
/** Questions about the matter itself that are no free text, at least. */
const minimumOwnQuestions = 2;

/** Titles of questions and documents that ask for special data: health, biometrics, religion, children. */
const specialTitle = new RegExp(
  [
    'disabilit|medical (?:report|condition|certificate|test)|eye test|blood|vaccin|pregnan',
    'fingerprint|biometric',
    'religion|muslim',
    'birth certificate|\\b(?:child|minor)\\b',
  ].join('|'),
  'i',
);
/** Those that name a place, a day or an office, and nothing of the person. */
const notSpecial = ['eyeTestPlace', 'eyeTestCentre', 'eyeTestDate', 'centreEmirate'];

const tablePath = 'docs/service-forms-table.md';

/** Syllables by groups of vowels; a silent e at the end does not count. */
function countSyllables(word: string): number {
  const groups = word
    .toLowerCase()
    .replace(/(?:[^laeiouy]es|[^aeiouyldt]ed|[^laeiouy]e)$/, '')
    .match(/[aeiouy]+/g);
  return Math.max(1, groups?.length ?? 0);
}

/** The reading age of texts of one or more sentences: Flesch-Kincaid grade plus five. */
export function readingAgeOf(texts: readonly string[]): number {
  const sentences = texts
    .flatMap((text) => text.split(/[.?!]+(?:\s|$)/))
    .filter((each) => /\w/.test(each));
  const words = sentences.flatMap((sentence) => sentence.match(/[A-Za-z’']+/g) ?? []);
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59 + 5;
}

// Sentences, not titles of one or two words: declarations, steps, hints and the result.
function proseOf({ form, attachments, terms, steps, result }: FormFile): string[] {
  const fields = form.steps.flatMap((step) => step.fields);
  return [
    terms,
    result,
    ...steps,
    ...[...form.steps, ...fields, ...attachments].flatMap(({ description }) => description ?? []),
  ].map((text) => text['en-US']);
}

const isOfApplicant = ({ name }: FormField) => name.startsWith('applicant');

/**
 * The questions of a form that are not about who applies; a group counts with those inside of it, and
 * what a register answers does not count.
 */
export const ownQuestions = ({ form }: FormFile): FormField[] =>
  form.steps
    .flatMap((step) => step.fields)
    .flatMap((field) => [field, ...((field.fields ?? []) as FormField[])])
    .filter(
      (field) =>
        !['file', 'group'].includes(field.kind) && field.payAll !== true && !isOfApplicant(field),
    );

/** A text that says nothing of what is meant by it: any words can stand there. */
const isFreeText = ({ kind, pattern }: FormField): boolean =>
  kind === 'longText' || (kind === 'text' && pattern === undefined);

/** Questions and documents whose titles ask for special data, and that have no consent of their own. */
function findUnmarkedSpecial({ form, attachments }: FormFile): string[] {
  const fields = form.steps
    .flatMap((step) => step.fields)
    .flatMap((field) => [field, ...((field.fields ?? []) as FormField[])])
    // A file has the mark of its document.
    .filter(({ kind }) => kind !== 'file');
  return [...fields, ...attachments]
    .filter(({ name, title, special }) => {
      const isAsked = specialTitle.test(title['en-US']) && !notSpecial.includes(name);
      return isAsked && special === undefined;
    })
    .map(({ name }) => `asks for special data in ${name} without \`special\``);
}

type Texts = Record<'ar-EG' | 'en-US' | 'ur-PK', string>;

/** All texts of a form, in its three languages. */
function textsIn(value: unknown): Texts[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'ar-EG' in value ? [value as Texts] : Object.values(value).flatMap(textsIn);
}

/** Whether a text from right to left would reverse a number with hyphens: 67-64-1 becomes 1-64-67. */
const isReversedIn = (text: string) =>
  text.split('\u2069').some((part) => /[0-9]-[0-9]/.test(part.split('\u2066')[0] ?? ''));
// Abbreviations are the same in all languages.
const isAbbreviation = (text: string) => /^[A-Z]+$/.test(text);
const arabicLetters = /[\u0620-\u06ff]{2}/;

function findTextFaults(value: unknown): string[] {
  return textsIn(value).flatMap((texts) => {
    const { 'ar-EG': arabic, 'en-US': english, 'ur-PK': urdu } = texts;
    const isUntranslated =
      arabicLetters.test(english) ||
      [arabic, urdu].some((text) => !arabicLetters.test(text) && !isAbbreviation(text)) ||
      (arabic === urdu && arabic.split(' ').length > 2);
    return [
      ...(isUntranslated ? [`has a text that is not in three languages: ${english}`] : []),
      ...([arabic, urdu].some(isReversedIn)
        ? [`has a number that is read from its end, without \\u2066 and \\u2069: ${arabic}`]
        : []),
    ];
  });
}

// A word of each script, and nothing of the other.
const sampleOf = { Arabic: '\u0646\u062E\u064A\u0644', English: 'Palm' };

/** A text that is asked for in Arabic or in English, and takes other letters or none at all. */
function findScriptFaults({ name, kind, title, description, pattern = '.*' }: FormField): string[] {
  const asked = [title, description].map((text) => text?.['en-US'] ?? '').join('. ');
  const found = /\bin (Arabic|English)\b|\b(Arabic|English) letters\b/i.exec(asked);
  if (!found || !['text', 'longText'].includes(kind)) return [];
  const script = (found[1] ?? found[2]) as keyof typeof sampleOf;
  const takes = (text: string) => new RegExp(`^(?:${pattern})$`, 'u').test(text);
  const isHeld = Object.entries(sampleOf).every(
    ([each, word]) => takes(word) === (each === script),
  );
  return isHeld && !takes('123')
    ? []
    : [`asks for ${name} in ${script} and takes something else: use the part textIn${script}`];
}

/** An amount shows its unit beside the field, so its texts do not say it again. */
const findUnitFaults = ({ name, kind, title, description }: FormField): string[] =>
  kind === 'money' &&
  [title, description].some((texts) => /\bdirhams?\b/i.test(texts?.['en-US'] ?? ''))
    ? [`says in ${name} that the amount is in dirhams, which the field shows`]
    : [];

/** Questions that cannot be answered as they are meant. */
function findQuestionFaults(fields: readonly FormField[]): string[] {
  return fields.flatMap((field) => [
    ...findKindFaults(field),
    ...findScriptFaults(field),
    ...findUnitFaults(field),
  ]);
}

/** Questions of a kind that does not fit what they ask for. */
function findKindFaults(field: FormField): string[] {
  const { name, kind, title, oneOf = [], minimum = 0, maximum = Infinity } = field;
  return [
    ...(kind === 'text' && /\bcountry\b/i.test(title['en-US'])
      ? [`asks for the country ${name} as free text: use the kind nationality`]
      : []),
    ...(kind === 'number' && minimum >= 1900 && maximum <= 2100
      ? [`asks for the year ${name} as an amount, which is written 1,990: use calendarYear`]
      : []),
    ...(kind === 'choices' && oneOf.some((option) => option.const === 'none')
      ? [`offers none in ${name} beside what can be chosen with it: ask yes or no before`]
      : []),
  ];
}

/** Fees that nobody can tell apart in the list of what a service costs. */
const findFeesAlike = (fees: readonly FeeRule[]): string[] =>
  fees
    .filter(
      ({ title }, index) =>
        fees.findIndex((each) => each.title['en-US'] === title['en-US']) < index,
    )
    .map(({ name, title }) => `has the fee ${name} with the title of another: ${title['en-US']}`);

/** Titles of fees that charge a fine or lateness. */
const latenessTitle =
  /\b(?:fines?|late|overdue|penalt|overstay|after (?:the|it) expir|each month after)/i;

/** Fines and lateness that follow what the applicant types, and not a register. */
const findTypedFines = (fees: readonly FeeRule[]): string[] =>
  fees
    .filter(({ title, finesOf }) => finesOf === undefined && latenessTitle.test(title['en-US']))
    .map(
      ({ name }) =>
        `charges ${name} without a register, which names fines and lateness: use finesOf`,
    );

/** What the way of a request says and its form does not hold. */
const findStepFaults = ({ steps, attachments, fees }: FormFile): string[] =>
  steps.flatMap((step) => {
    const english = step['en-US'];
    return [
      ...(attachments.length === 0 && /\b(?:documents|papers)\b/i.test(english)
        ? [`speaks of documents, and asks for none: ${english}`]
        : []),
      ...(fees.length === 0 && /\bpay\b/i.test(english)
        ? [`speaks of a payment, and has no fee: ${english}`]
        : []),
      ...(Object.values(step).some((text) => /[.\u06D4]$/.test(text))
        ? [`has a step that ends with a full stop: ${english}`]
        : []),
    ];
  });

/** An agent who applies for somebody, without a place for what proves that they may. */
const findAgentFaults = ({ form, attachments }: FormFile): string[] => {
  const role = form.steps
    .flatMap((step) => step.fields)
    .find(({ name }) => name === 'applicantRole');
  const isProved = attachments.some(({ title }) =>
    /attorney|authorisation|may sign/i.test(title['en-US']),
  );
  return role?.oneOf?.some((each) => each.const === 'agent') && !isProved
    ? ['lets an agent apply, and asks for no power of attorney: use the part powerOfAttorneyPlace']
    : [];
};

/** What a form does not do that a service owner expects, one line each. */
export function findFormFaults(file: FormFile): string[] {
  const { form, attachments } = file;
  const questions = ownQuestions(file);
  const own = questions.filter((field) => !isFreeText(field));
  const placed = new Set(
    form.steps.flatMap((step) => step.fields.flatMap(({ attachment }) => attachment ?? [])),
  );
  const loose = attachments.filter(({ name, required }) => !required && !placed.has(name));
  const age = readingAgeOf(proseOf(file));
  return [
    ...(own.length < minimumOwnQuestions
      ? [
          `asks ${own.length} questions of its own that are no free text, ${minimumOwnQuestions} at least`,
        ]
      : []),
    ...loose.map(
      ({ name }) => `asks for ${name} nowhere: it is not required and no step has its place`,
    ),
    ...findFormProblems(
      form,
      attachments.map(({ name }) => name),
    ),
    ...listFeeProblems(form, file.fees).map(({ message }) => message),
    ...findUnmarkedSpecial(file),
    ...findTypedFines(file.fees),
    ...findFeesAlike(file.fees),
    ...findQuestionFaults(questions),
    ...findStepFaults(file),
    ...findAgentFaults(file),
    ...findTextFaults(file),
    ...(age > maximumReadingAge
      ? [`has English for the age of ${age.toFixed(1)}, ${maximumReadingAge} at most`]
      : []),
  ];
}

const titlesOf = ({ form }: FormFile) =>
  new Map(form.steps.flatMap((step) => step.fields).map((field) => [field.name, field]));

const dirhams = (fils: number) =>
  (fils / 100).toLocaleString('en-US', { maximumFractionDigits: 2 });

function limitsOf(condition: Condition, title: string, kind?: string): string[] {
  const { minimum, maximum, formatMinimum, formatMaximum } = condition;
  const written = (value: number) => (kind === 'money' ? dirhams(value) : String(value));
  return [
    ...(minimum === undefined ? [] : [`${title} at least ${written(minimum)}`]),
    ...(maximum === undefined ? [] : [`${title} at most ${written(maximum)}`]),
    ...(formatMinimum === undefined ? [] : [`${title} not before ${formatMinimum}`]),
    ...(formatMaximum === undefined ? [] : [`${title} not after ${formatMaximum}`]),
  ];
}

function wordsOf(condition: Condition, fields: ReadonlyMap<string, FormField>): string {
  const { field = '', equals, in: allowed, answered, all, any, not } = condition;
  const named = fields.get(field);
  const valueOf = (value: unknown) =>
    named?.oneOf?.find((option) => option.const === value)?.title['en-US'] ??
    (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));
  const title = named?.title['en-US'] ?? field;
  const values = allowed ?? (equals === undefined ? [] : [equals]);
  return [
    ...(values.length > 0 ? [`${title}: ${values.map(valueOf).join(' or ')}`] : []),
    ...limitsOf(condition, title, named?.kind),
    ...(answered === undefined ? [] : [`${title} ${answered ? '' : 'not '}answered`]),
    ...(all ?? []).map((each) => wordsOf(each, fields)),
    ...(any ? [`(${any.map((each) => wordsOf(each, fields)).join('; or ')})`] : []),
    ...(not ? [`not (${wordsOf(not, fields)})`] : []),
  ].join('; ');
}

function feeInWords(fee: FeeRule, fields: ReadonlyMap<string, FormField>): string {
  const { amount, per, percentOf, finesOf, rate = 0, maximum, when, accounts, stage } = fee;
  const title = (name: string) => fields.get(name)?.title['en-US'] ?? name;
  const limits = [
    ...(amount > 0 ? [`at least ${dirhams(amount)}`] : []),
    ...(maximum === undefined ? [] : [`at most ${dirhams(maximum)}`]),
  ].join(', ');
  const price =
    finesOf !== undefined
      ? `what is due: ${title(finesOf)}`
      : percentOf === undefined
        ? `${dirhams(amount)}${per === undefined ? '' : ` × ${title(per)}`}`
        : `${rate / 100}% of ${title(percentOf)}${limits === '' ? '' : ` (${limits})`}`;
  return [
    price,
    ...(when ? [` if ${wordsOf(when, fields)}`] : []),
    ...(accounts ? [` for ${accounts.join(' and ')}`] : []),
    ...(stage === 'issue' ? [' after approval'] : []),
  ].join('');
}

const cell = (text: string) => text.replace(/\|/g, '/');

/** The table of all services with their forms, as a document. */
export function writeTable({ services, forms, agencies }: SeedFiles): string {
  const agencyNames = new Map(agencies.map(({ slug, name }) => [slug, name['en-US']]));
  const rows = services.map(({ agency, service }) => {
    const file = formOfService(service, forms);
    const fees = service.fees ?? file.fees;
    const fields = titlesOf(file);
    const cells = [
      `${agencyNames.get(agency)}: ${service.name['en-US']}`,
      service.form,
      String(ownQuestions(file).length),
      String(file.attachments.length),
      String(service.workingDays ?? file.workingDays),
      fees.length === 0 ? 'free' : fees.map((fee) => feeInWords(fee, fields)).join('; '),
    ];
    return `| ${cells.map(cell).join(' | ')} |`;
  });
  return [
    '# Forms of the demo catalogue',
    '',
    `The ${services.length} services of the demo with their forms, written by \`npm run forms:table\`. ` +
      'Questions: those about the matter, without who applies. Fees are in dirhams without VAT and are ' +
      'demo amounts ([unknowns.md](unknowns.md)). [service-forms.md](service-forms.md) says what a ' +
      'form can do.',
    '',
    '| service | form | questions | documents | working days | fees |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** What the own fees and texts of a service add to the faults of its form. */
function findServiceFaults({ services, forms }: SeedFiles): string[] {
  return services.flatMap(({ service }) => {
    const { name, description, form, fees, terms, steps, result } = service;
    const own = Object.entries({ fees, terms, steps, result }).filter(
      ([, part]) => part !== undefined,
    );
    const file = formOfService(service, forms);
    const isOwn = own.length > 0 || service.choices !== undefined;
    const known = isOwn ? findFormFaults(forms.get(form)!) : [];
    const added = isOwn
      ? findFormFaults({ ...file, ...(Object.fromEntries(own) as Partial<FormFile>) })
      : [];
    return [
      ...added.filter((fault) => !known.includes(fault)),
      ...findTextFaults({ name, description }),
    ].map((fault) => `service ${service.replacedName} ${fault}`);
  });
}

/** All faults of the forms of the seed, and of the table about them. */
export function findSeedFaults(files: SeedFiles, table: string): string[] {
  const used = new Set(files.services.map(({ service }) => service.form));
  return [
    ...[...files.forms.values()].flatMap((file) =>
      findFormFaults(file).map((fault) => `form ${file.name} ${fault}`),
    ),
    ...findServiceFaults(files),
    ...[...files.forms.keys()]
      .filter((name) => !used.has(name))
      .map((name) => `form ${name} is used by no service`),
    ...(table === writeTable(files)
      ? []
      : [`${tablePath} is not current: run npm run forms:table`]),
  ];
}

if (process.argv[1]?.endsWith('service-forms.ts')) {
  const files = await readSeedFiles();
  if (process.argv.includes('--write')) writeFileSync(join('.', tablePath), writeTable(files));
  const faults = findSeedFaults(files, readFileSync(tablePath, 'utf8'));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
