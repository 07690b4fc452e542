import { useTranslation } from 'react-i18next';
import type { ValidationIssue } from '@diwan/contract/errors';
import type { FormField } from '@diwan/contract/forms';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/language.ts';

/** Says what is wrong with a field, in the language in force, with figures as the person writes them. */
export function useIssueText(): (issue: ValidationIssue, field: FormField) => string {
  const { t } = useTranslation(['errors', 'forms']);
  const { language } = useLanguage();
  const format = useFormat();
  return (issue, field) => {
    const own = issue.message?.[language];
    if (own) return own;
    const figure = (value: string | number): string => {
      if (typeof value === 'string') return format.date(value);
      return field.kind === 'money' ? format.money(value * 100, { short: true }) : format.count(value);
    };
    const figures = Object.fromEntries(Object.entries(issue.params ?? {}).map(([name, value]) => [name, figure(value)]));
    if (issue.code === 'required') return t(`required.${requiredKeyOf(field)}`, { ns: 'forms' });
    return t(`validation.${issue.code}`, { ns: 'errors', ...figures });
  };
}

function requiredKeyOf(field: FormField): 'choose' | 'chooseSome' | 'answer' {
  if (field.kind === 'choices') return 'chooseSome';
  return ['choice', 'yesNo', 'nationality', 'emirate'].includes(field.kind) ? 'choose' : 'answer';
}
