import type { ValidationIssue } from '../wire/errors.ts';
import { checkAnswers } from './check-answers.ts';

const title = { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' };

// A name is a text with one more rule.
const formKinds = { text: 'text', name: 'text', email: 'email', mobile: 'mobile' } as const;

// The texts that mail programs turn into links: names appear in mails that the portal sends to
// other people.
const address = /:\/\/|www\.|@|\.\p{L}{2,}\//iu;

/** Whether the name of a person or a company contains an address, in any compatible characters. */
export const containsAddress = (name: string): boolean => address.test(name.normalize('NFKC'));

/**
 * Validates and cleans values of forms that are not service forms, by the same rules: `text`,
 * `name` of a person or a company (a text without an address in it), `email`, or `mobile` in E.164.
 * Issues are named by field.
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
    .filter((name) => kinds[name] === 'name' && containsAddress(cleaned[name]))
    .map((field): ValidationIssue => ({ field, code: 'nameHoldsAddress' }));
  return {
    values: cleaned,
    issues: [
      ...issues.map((issue) => ({ ...issue, field: issue.field.replace(/^answers\./, '') })),
      ...addresses,
    ],
  };
}
