import { checkAnswers } from './check-answers.ts';
import type { ValidationIssue } from './errors.ts';

const title = { 'ar-EG': '-', 'en-US': '-', 'ur-PK': '-' };

/** Values of a form that is not a service's, cleaned by the rules of those: `text`, `email`, or `mobile` in E.164. What is wrong is named by field. */
export function checkContacts<Name extends string>(kinds: Record<Name, 'text' | 'email' | 'mobile'>, values: NoInfer<Readonly<Record<Name, string>>>): { values: Record<Name, string>; issues: ValidationIssue[] } {
  const names = Object.keys(kinds) as Name[];
  const fields = names.map((name) => ({ name, kind: kinds[name], title, required: true }));
  const given = Object.fromEntries(names.map((name) => [name, values[name]]));
  const { answers, issues } = checkAnswers({ steps: [{ name: 'only', title, fields }] }, given, '2000-01-01');
  return { values: Object.fromEntries(names.map((name) => [name, String(answers[name] ?? '')])) as Record<Name, string>, issues: issues.map((issue) => ({ ...issue, field: issue.field.replace(/^answers\./, '') })) };
}
