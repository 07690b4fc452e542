import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { NamedCode } from '@diwan/contract/catalogue/service-designs';
import type { Condition } from '@diwan/contract/forms/form-conditions';
import { isGroup, readCondition, type ConditionNode } from './condition-nodes.ts';

// A title has its own direction within the sentence.
const isolate = (text: string) => `\u2068${text}\u2069`;

/** What a condition says about a question, by its name. */
type ConditionField = { name: string } & Pick<NamedCode, 'title' | 'kind' | 'oneOf'>;

/** Conditions in words: "Delivery is Yes, and Copies is at least 2". */
export function useConditionText(fields: readonly ConditionField[]) {
  const { t } = useTranslation(['designer', 'forms']);
  const { language } = useLanguage();
  const format = useFormat();
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  const titleOf = (name: string) => isolate(fieldOf(name)?.title[language] || name);
  const limitText = (limit: string) => {
    const [, sign, days] = /^today(?:([+-])(\d+))?$/.exec(limit) ?? [];
    if (sign !== undefined)
      return t(sign === '-' ? 'limits.daysBefore' : 'limits.daysAfter', { count: Number(days) });
    return limit === 'today' ? t('limits.todayText') : format.date(limit);
  };
  const valueText = (name: string, value: unknown): string => {
    const field = fieldOf(name);
    if (typeof value === 'boolean') return t(value ? 'forms:yes' : 'forms:no');
    if (typeof value === 'number')
      return field?.kind === 'money' ? format.money(value, { short: true }) : format.count(value);
    const text = String(value);
    if (field?.kind === 'emirate') return t(`forms:emirates.${text}`);
    if (field?.kind === 'nationality') return format.country(text);
    if (/^(today([+-]\d+)?|\d{4}-\d{2}-\d{2})$/.test(text)) return limitText(text);
    return isolate(field?.oneOf?.find((each) => each.const === text)?.title[language] || text);
  };
  const ofNode = (node: ConditionNode): string => {
    if (isGroup(node)) {
      const parts = node.parts.map((part) =>
        isGroup(part) && part.parts.length > 1 ? `(${ofNode(part)})` : ofNode(part),
      );
      const text = parts.join(
        node.join === 'all' || node.join === 'notAll' ? t('sentence.and') : t('sentence.or'),
      );
      if (node.join === 'none') return t('sentence.none', { parts: text });
      return node.join === 'notAll' ? t('sentence.notAll', { parts: text }) : text;
    }
    const { field, comparison, value } = node;
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    const [first = '', second = ''] = values.map((each) => valueText(field, each));
    return t(`sentences.${comparison}`, {
      field: titleOf(field),
      value:
        comparison === 'oneOf' || comparison === 'noneOf'
          ? format.list(values.map((each) => valueText(field, each)))
          : first,
      second,
    });
  };
  return {
    of: (condition: Condition) => ofNode(readCondition(condition)),
    ofNode,
    /** A day, or one that is counted from the day of the request. */
    limit: limitText,
  };
}
