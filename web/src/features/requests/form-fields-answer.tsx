import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isFieldShown } from '@diwan/contract/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/language.ts';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { Reference } from '../../ui/reference.tsx';
import type { AnswerValues, FormStep } from './form-fields-form.ts';

export interface ShownAnswer {
  field: FormField;
  value: unknown;
}

function isAnswered(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0) && !Number.isNaN(value);
}

/** The answered fields of a step, without those that are not asked. */
export function shownAnswers(form: ServiceForm, step: FormStep, answers: AnswerValues): ShownAnswer[] {
  return step.fields.filter((field) => isFieldShown(form, field, answers) && isAnswered(answers[field.name])).map((field) => ({ field, value: answers[field.name] }));
}

/** One answer as a person reads it. */
export function AnswerText({ field, value }: ShownAnswer): ReactNode {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { count, list, country } = useFormat();
  const titleOf = (option: unknown) => field.oneOf?.find((each) => each.const === option)?.title[language] ?? String(option);
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return field.kind === 'money' ? <Money fils={value} /> : <bdi>{count(value)}</bdi>;
  if (Array.isArray(value)) return list(value.map(titleOf));
  const text = String(value);
  switch (field.kind) {
    case 'choice':
      return titleOf(text);
    case 'emirate':
      return t(`emirates.${text}`);
    case 'nationality':
      return country(text);
    case 'date':
      return <Moment at={text} as="date" />;
    case 'emiratesId':
    case 'mobile':
    case 'trn':
      return <Reference>{text}</Reference>;
    case 'iban':
    case 'email':
      return <bdi dir="ltr" className="break-all">{text}</bdi>;
    default:
      return <bdi className="whitespace-pre-line wrap-anywhere">{text}</bdi>;
  }
}
