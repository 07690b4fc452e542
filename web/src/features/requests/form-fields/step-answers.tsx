import type { ReactNode } from 'react';
import { hijriDate } from '#lib/i18n/dates.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Money } from '#ui/values/money.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { getAddressField, addressParts } from '@diwan/contract/forms/address-answers';
import { nationalities } from '@diwan/contract/forms/answer-values';
import { isFieldShown, listShownItemFields } from '@diwan/contract/forms/check-answers';
import { emirates } from '@diwan/contract/forms/emirates';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { isRealDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { useMarkControls } from '../record/mark-controls.tsx';
import { groupedCode, groupedMakani } from './grouped-codes.ts';
import type { AnswerValues } from './initial-values.ts';
import { sectionsOfStep } from './step-sections.ts';
import type { FormStep } from './use-answers-form.ts';

interface ShownAnswer {
  field: FormField;
  value: unknown;
}

const isObject = (value: unknown): value is AnswerValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isAnswered(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(isAnswered);
  return (
    value !== undefined &&
    value !== null &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0) &&
    !Number.isNaN(value)
  );
}

/** The answered fields of a step that apply. */
export function shownAnswers(
  form: ServiceForm,
  step: FormStep,
  answers: AnswerValues,
): ShownAnswer[] {
  return step.fields
    .filter((field) => isFieldShown(form, field, answers) && isAnswered(answers[field.name]))
    .map((field) => {
      const value = answers[field.name];
      if (field.kind !== 'group' || !Array.isArray(value)) return { field, value };
      return {
        field,
        value: value.map((item: unknown) =>
          Object.fromEntries(
            listShownItemFields(form, field, item, answers).map(({ name }) => [
              name,
              isObject(item) ? item[name] : undefined,
            ]),
          ),
        ),
      };
    });
}

/** The answers of a step, by section. */
export function StepAnswers({
  form,
  step,
  answers,
}: {
  form: ServiceForm;
  step: FormStep;
  answers: AnswerValues;
}) {
  const { language } = useLanguage();
  const createControls = useMarkControls();
  const shown = shownAnswers(form, step, answers);
  const parts = sectionsOfStep(step)
    .map(({ section, fields }) => ({
      section,
      items: shown.filter(({ field }) => fields.includes(field)),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <div className="flex flex-col gap-5">
      {parts.map(({ section, items }) => (
        <div key={items[0]?.field.name}>
          {section ? (
            <p className="mb-2 font-semibold text-ink-900">{section.title[language]}</p>
          ) : null}
          <KeyValueList
            items={items.map(({ field, value }) => {
              const label = field.title[language];
              const controls = createControls?.({ field: `answers.${field.name}` }, label);
              return {
                label,
                value: <AnswerText field={field} value={value} />,
                action: controls?.flag,
                below: controls?.reason,
              };
            })}
          />
        </div>
      ))}
    </div>
  );
}

/** One answer as readable text. */
export function AnswerText({ field, value }: ShownAnswer): ReactNode {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { count, list } = useFormat();
  if (field.kind === 'group')
    return <GroupText field={field} items={Array.isArray(value) ? value : []} />;
  if (field.kind === 'address') return <AddressText address={isObject(value) ? value : {}} />;
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number')
    return field.kind === 'money' ? <Money fils={value} /> : <bdi>{count(value)}</bdi>;
  if (Array.isArray(value)) {
    const options = value.filter((each) => typeof each === 'string');
    if (field.kind === 'fines')
      return (
        <span className="flex flex-wrap gap-x-4">
          {options.map((number) => (
            <Reference key={number}>{number}</Reference>
          ))}
        </span>
      );
    return list(options.map((option) => optionTitle(field, option, language)));
  }
  // A draft may contain values of an older form.
  return <StringText field={field} text={typeof value === 'object' ? '' : String(value)} />;
}

const optionTitle = (field: FormField, option: string, language: Language): string =>
  field.oneOf?.find((each) => each.const === option)?.title[language] ?? option;

function StringText({ field, text }: { field: FormField; text: string }): ReactNode {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { country } = useFormat();
  switch (field.kind) {
    case 'choice':
      return optionTitle(field, text, language);
    case 'emirate':
      return emirates.some((name) => name === text) ? t(`emirates.${text}`) : <bdi>{text}</bdi>;
    case 'nationality':
      return nationalities.includes(text) ? country(text) : <bdi>{text}</bdi>;
    case 'date':
      return isRealDay(text) ? <DayText day={text} /> : <bdi>{text}</bdi>;
    case 'emiratesId':
    case 'mobile':
    case 'trn':
      return <Reference>{groupedCode(field.kind, text)}</Reference>;
    case 'iban':
      return (
        <bdi dir="ltr" className="tabular-nums">
          {groupedCode(field.kind, text)}
        </bdi>
      );
    case 'email':
      return <EmailAddress>{text}</EmailAddress>;
    default:
      return <bdi className="whitespace-pre-line wrap-anywhere">{text}</bdi>;
  }
}

function DayText({ day }: { day: string }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const hijri = hijriDate(day, language);
  return (
    <>
      <Moment at={day} as="date" />
      {hijri ? (
        <span className="block text-sm text-ink-500">
          {t('date.hijri', { date: `\u2068${hijri}\u2069` })}
        </span>
      ) : null}
    </>
  );
}

function AddressText({ address }: { address: AnswerValues }) {
  const { t } = useTranslation('forms');
  const { emirate, makani } = address;
  const lines = addressParts.filter(
    (part) => part !== 'emirate' && part !== 'makani' && isAnswered(address[part]),
  );
  return (
    <span className="flex flex-col">
      {lines.map((part) => (
        <span key={part}>
          <span className="text-ink-500">{t('address.line', { part: t(`address.${part}`) })}</span>{' '}
          <AnswerText field={getAddressField(part)} value={address[part]} />
        </span>
      ))}
      {isAnswered(makani) ? (
        <span>
          <span className="text-ink-500">{t('address.line', { part: t('address.makani') })}</span>{' '}
          <Reference>{groupedMakani(String(makani))}</Reference>
        </span>
      ) : null}
      {emirates.some((name) => name === emirate) ? (
        <span>{t(`emirates.${String(emirate)}`)}</span>
      ) : null}
    </span>
  );
}

function GroupText({ field, items }: { field: FormField; items: readonly unknown[] }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  return (
    <ol className="flex flex-col gap-4">
      {items.filter(isObject).map((item, index) => (
        <li key={index}>
          <p className="mb-1 font-semibold">
            {t('group.heading', {
              item: (field.itemTitle ?? field.title)[language],
              number: index + 1,
            })}
          </p>
          <dl className="flex flex-col gap-2 border-s-2 border-ink-200 ps-3">
            {(field.fields ?? [])
              .filter(({ name }) => isAnswered(item[name]))
              .map((each) => (
                <div key={each.name}>
                  <dt className="text-sm text-ink-500">{each.title[language]}</dt>
                  <dd>
                    <AnswerText field={each} value={item[each.name]} />
                  </dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ol>
  );
}
