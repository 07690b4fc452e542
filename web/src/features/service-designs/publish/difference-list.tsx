import type { ReactNode } from 'react';
import type { DesignDifference } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { Condition } from '@diwan/contract/forms/form-conditions';
import { directionOf } from '@diwan/contract/wire/languages';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { useConditionText } from '../panels/condition-text.ts';

const conditionProperties = ['showWhen', 'requiredWhen', 'when'];

/** A value of a difference in words. */
function useValueText(document: DraftDocument): (property: string, value: unknown) => string {
  const { t } = useTranslation('designer');
  const format = useFormat();
  const fields = document.form.steps.flatMap((step) =>
    step.fields.flatMap((field) => [field, ...((field.fields ?? []) as typeof step.fields)]),
  );
  const condition = useConditionText(fields);
  return (property, value) => {
    if (value === undefined || value === null || value === '') return t('differences.nothing');
    if (conditionProperties.includes(property)) return condition.of(value as Condition);
    if (typeof value === 'boolean') return t(value ? 'differences.yes' : 'differences.no');
    if (property === 'amount') return format.money(Number(value));
    if (property === 'vatRate') return format.percent(Number(value) / 10_000);
    if (property === 'kind') return t(`kinds.${String(value)}`);
    if (typeof value === 'number') return format.count(value);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}

function Line({ difference, document }: { difference: DesignDifference; document: DraftDocument }) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const format = useFormat();
  const valueText = useValueText(document);
  const { kind, part, path, property, language: of, before, after } = difference;
  const place: ReactNode[] = path.map((title, index) => (
    <bdi key={index}>
      {title[language] || title['ar-EG'] || title['en-US'] || title['ur-PK']}
      {index < path.length - 1 ? ' – ' : null}
    </bdi>
  ));
  const known = t(`differences.parts.${part}`);
  const named = property === undefined ? '' : t(`differences.properties.${property}`);
  return (
    <li className="border-s-3 border-ink-200 py-1 ps-3 wrap-anywhere">
      <p>
        <strong>{t(`differences.${kind}`, { part: known })}</strong> {place}
      </p>
      {kind === 'changed' && property !== undefined ? (
        <dl className="text-sm">
          <dt className="text-ink-600">
            {named}
            {of ? ` (${format.language(of)})` : null}
          </dt>
          <dd className="text-ink-600">
            <span className="sr-only">{t('differences.before')} </span>
            <del>
              <bdi lang={of} dir={of ? directionOf(of) : 'auto'}>
                {valueText(property, before)}
              </bdi>
            </del>
          </dd>
          <dd>
            <span className="sr-only">{t('differences.after')} </span>
            <ins className="font-medium no-underline">
              <bdi lang={of} dir={of ? directionOf(of) : 'auto'}>
                {valueText(property, after)}
              </bdi>
            </ins>
          </dd>
        </dl>
      ) : null}
    </li>
  );
}

/** What differs between two versions, in words, in the order of the service. */
export function DifferenceList({
  differences,
  document,
  empty,
}: {
  differences: readonly DesignDifference[];
  document: DraftDocument;
  empty: string;
}) {
  if (differences.length === 0) return <p className="text-ink-600">{empty}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {differences.map((difference, index) => (
        <Line key={index} difference={difference} document={document} />
      ))}
    </ul>
  );
}
