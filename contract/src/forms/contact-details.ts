import { checkAnswers } from './check-answers.ts';
import type { ValidationIssue } from '../wire/errors.ts';

const title = { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' };

// A name is a text with one rule more.
const formKinds = { text: 'text', name: 'text', email: 'email', mobile: 'mobile' } as const;

// What a mail program makes a link of: names go into mails that others are sent in the portal's
// name.
const address = /:\/\/|www\.|@|\.\p{L}{2,}\//iu;

/**
 * Whether the name of a person or a company holds an address; in any letters that look like those
 * of one.
 */
export const holdsAddress = (name: string): boolean => address.test(name.normalize('NFKC'));

/**
 * Values of a form that is not a service's, cleaned by the rules of those: `text`, `name` of a
 * person or a company (a text without an address in it), `email`, or `mobile` in E.164. What is
 * wrong is named by field.
 */
export function checkContacts<Name extends string>(
  kinds: Record<Name, 'text' | 'name' | 'email' | 'mobile'>,
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
  const addresses = names
    .filter((name) => kinds[name] === 'name' && holdsAddress(cleaned[name]))
    .map((field): ValidationIssue => ({ field, code: 'nameHoldsAddress' }));
  return {
    values: cleaned,
    issues: [
      ...issues.map((issue) => ({ ...issue, field: issue.field.replace(/^answers\./, '') })),
      ...addresses,
    ],
  };
}
