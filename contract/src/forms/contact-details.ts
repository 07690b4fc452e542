import type { ValidationCode, ValidationIssue } from '../wire/errors.ts';
import { checkAnswers } from './check-answers.ts';

const title = { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' };

// A name is a text with more rules.
const formKinds = {
  text: 'text',
  name: 'text',
  nameInArabic: 'text',
  nameInEnglish: 'text',
  nameInUrdu: 'text',
  email: 'email',
  mobile: 'mobile',
} as const;
type ContactKind = keyof typeof formKinds;

const inArabicScript = /\p{Script=Arabic}/u;
const scriptOf: Partial<Record<ContactKind, { letter: RegExp; code: ValidationCode }>> = {
  nameInArabic: { letter: inArabicScript, code: 'notInArabic' },
  nameInEnglish: { letter: /\p{Script=Latin}/u, code: 'notInEnglish' },
  nameInUrdu: { letter: inArabicScript, code: 'notInUrdu' },
};

/** The problem of a name that its language does not write: letters of another script, or none. */
function findScriptIssue(field: string, kind: ContactKind, name: string): ValidationIssue[] {
  const script = scriptOf[kind];
  if (script === undefined || name === '') return [];
  const letters = name.match(/\p{L}/gu) ?? [];
  return letters.length > 0 && letters.every((letter) => script.letter.test(letter))
    ? []
    : [{ field, code: script.code }];
}

// The texts that mail programs turn into links: names appear in mails that the portal sends to
// other people.
const address = /:\/\/|www\.|@|\.\p{L}{2,}\//iu;

/** Whether the name of a person or a company contains an address, in any compatible characters. */
export const containsAddress = (name: string): boolean => address.test(name.normalize('NFKC'));

/**
 * Validates and cleans values of forms that are not service forms, by the same rules: `text`,
 * `name` of a person or a company (a text without an address in it), a name in the letters of one
 * language, `email`, or `mobile` in E.164. Issues are named by field.
 */
export function checkContacts<Name extends string>(
  kinds: Record<Name, ContactKind>,
  values: NoInfer<Readonly<Record<Name, string>>>,
): { values: Record<Name, string>; issues: ValidationIssue[] } {
  const names = Object.keys(kinds) as Name[];
  const fields = names.map((name) => ({
    name,
    kind: formKinds[kinds[name]],
    title,
    required: true,
  }));
  const given = Object.fromEntries(names.map((name) => [name, values[name]]));
  const { answers, issues } = checkAnswers(
    { steps: [{ name: 'only', title, fields }] },
    given,
    '2000-01-01',
  );
  const cleaned = Object.fromEntries(
    names.map((name) => [name, String(answers[name] ?? '')]),
  ) as Record<Name, string>;
  const ofNames = names.flatMap((field): ValidationIssue[] => {
    const kind = kinds[field];
    if (!kind.startsWith('name')) return [];
    return containsAddress(cleaned[field])
      ? [{ field, code: 'nameHoldsAddress' }]
      : findScriptIssue(field, kind, cleaned[field]);
  });
  return {
    values: cleaned,
    issues: [
      ...issues.map((issue) => ({ ...issue, field: issue.field.replace(/^answers\./, '') })),
      ...ofNames,
    ],
  };
}
