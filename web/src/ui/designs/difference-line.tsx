import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { DesignDifference } from '@diwan/contract/catalogue/service-designs';
import type { Condition } from '@diwan/contract/forms/form-conditions';
import { directionOf, type LocalizedText } from '@diwan/contract/wire/languages';
import { useConditionText } from './condition-text.ts';

const conditionProperties = ['showWhen', 'requiredWhen', 'when'];
const dayProperties = ['formatMinimum', 'formatMaximum', 'availableFrom', 'availableUntil'];

/** Where the words of a code are, by the property that holds it; the first that has it. */
const placesOfCodes: Readonly<Record<string, readonly string[]>> = {
  kind: ['kinds.', 'ruleKinds.'],
  stage: ['fee.stages.'],
  vatCategory: ['vatCategories.'],
  accounts: ['accountKinds.'],
  any: ['accountKinds.', 'residence.', 'forms:emirates.'],
  prefill: ['prefill.'],
  readFrom: ['cardParts.'],
  mediaTypes: ['mediaTypes.'],
  format: ['field.'],
};

type Difference = Pick<DesignDifference, 'named' | 'fieldKind' | 'part'>;

/** A value of a difference in words. */
function useValueText({ named = [], fieldKind, part }: Difference) {
  const { t } = useTranslation(['designer', 'forms']);
  const { language } = useLanguage();
  const format = useFormat();
  const condition = useConditionText(named.map(({ code, ...field }) => ({ name: code, ...field })));
  const codeText = (property: string, code: string): string => {
    const title = named.find((each) => each.code === code)?.title;
    if (title) return title[language] || code;
    if (property === 'in' || property === 'notIn') return format.country(code);
    for (const place of placesOfCodes[property] ?? []) {
      const words = t(place + code);
      if (words !== (place + code).replace(/^forms:/, '')) return words;
    }
    return code;
  };
  const numberText = (property: string, value: number): string => {
    const isMoney =
      (fieldKind === 'money' || part === 'fee') && ['minimum', 'maximum'].includes(property);
    if (property === 'amount' || isMoney) return format.money(value);
    if (property === 'vatRate' || property === 'rate') return format.rate(value);
    if (property === 'maximumBytes') return format.fileSize(value);
    return property.endsWith('Id') ? codeText(property, String(value)) : format.count(value);
  };
  const simpleText = (property: string, value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'differences.yes' : 'differences.no');
    if (typeof value === 'number') return numberText(property, value);
    const text = String(value);
    return dayProperties.includes(property) ? condition.limit(text) : codeText(property, text);
  };
  return (property: string, value: unknown): string => {
    if (value === undefined || value === null || value === '')
      return t(property === 'workflowId' ? 'outcome.general' : 'differences.nothing');
    if (conditionProperties.includes(property)) return condition.of(value as Condition);
    if (typeof value !== 'object') return simpleText(property, value);
    const parts = Object.values(value) as unknown[];
    const texts = parts.map((part) =>
      typeof part === 'object' && part !== null && language in part
        ? (part as LocalizedText)[language]
        : typeof part === 'object'
          ? JSON.stringify(part)
          : property.endsWith('Ids')
            ? codeText(property, String(part))
            : simpleText(property, part),
    );
    return format.list(texts);
  };
}

/** One difference between two versions of a service, in words. */
export function DifferenceLine({ difference }: { difference: DesignDifference }) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const format = useFormat();
  const valueText = useValueText(difference);
  const { kind, part, path, property, language: of, before, after } = difference;
  const named = property === undefined ? '' : t(`differences.properties.${property}`);
  return (
    <>
      <p>
        <strong>{t(`differences.${kind}`, { part: t(`differences.parts.${part}`) })}</strong>{' '}
        {path.map((title, index) => (
          <bdi key={index}>
            <span>{title[language] || title['ar-EG'] || title['en-US'] || title['ur-PK']}</span>
            <span>{index < path.length - 1 ? ' – ' : null}</span>
          </bdi>
        ))}
      </p>
      {kind === 'changed' && property !== undefined ? (
        <dl className="text-sm">
          <dt className="text-ink-600">
            <span>{named}</span>
            <span>{of ? ` (${format.language(of)})` : null}</span>
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
    </>
  );
}
