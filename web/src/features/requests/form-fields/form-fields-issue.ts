import { useTranslation } from 'react-i18next';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { placeAt } from './form-fields-path.ts';

/**
 * Says what is wrong with a field, in the language in force, with figures as the person writes
 * them.
 */
export function useIssueText(): (issue: ValidationIssue, field: FormField) => string {
  const { t } = useTranslation(['errors', 'forms']);
  const { language } = useLanguage();
  const format = useFormat();
  return (issue, field) => {
    const own = issue.message?.[language];
    if (own) return own;
    const figure = (value: string | number): string => {
      if (typeof value === 'string') return format.date(value);
      return field.kind === 'money'
        ? format.money(value * 100, { short: true })
        : format.count(value);
    };
    const figures = Object.fromEntries(
      Object.entries(issue.params ?? {}).map(([name, value]) => [name, figure(value)]),
    );
    if (issue.code === 'required') return t(`required.${requiredKeyOf(field)}`, { ns: 'forms' });
    return t(`validation.${issue.code}`, { ns: 'errors', ...figures });
  };
}

/**
 * What stands at a path, as a summary names it: within a group with the item, within an address
 * with the part.
 */
export function usePlaceTitle(form: ServiceForm): (path: string) => string {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  return (path) => {
    const place = placeAt(form, path);
    if (!place) return '';
    const { field, top, index, part } = place;
    const item =
      index === undefined
        ? []
        : [t('group.heading', { item: (top.itemTitle ?? top.title)[language], number: index + 1 })];
    const own = part
      ? [...(index === undefined ? [top.title[language]] : []), t(`address.${part}`)]
      : field === top && index !== undefined
        ? []
        : [field.title[language]];
    return [...item, ...own].join(' \u2013 ');
  };
}

function requiredKeyOf(field: FormField): 'choose' | 'chooseSome' | 'addSome' | 'answer' {
  if (field.kind === 'choices') return 'chooseSome';
  if (field.kind === 'group') return 'addSome';
  return ['choice', 'yesNo', 'nationality', 'emirate'].includes(field.kind) ? 'choose' : 'answer';
}
