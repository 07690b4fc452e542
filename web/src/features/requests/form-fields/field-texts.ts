import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { isQuestion, itemInSentence, titleInSentence } from '#lib/i18n/title-in-sentence.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { FormField } from '@diwan/contract/forms/forms';
import { resolveDateLimit } from '@diwan/contract/wire/days';
import type { ValidationCode, ValidationIssue } from '@diwan/contract/wire/errors';
import type { FieldPosition } from './answer-path.ts';

const choiceKinds: readonly string[] = ['choice', 'nationality', 'emirate'];

// What is said about a text that is no clear number.
const unclearKeys: Partial<
  Record<FormField['kind'], Partial<Record<ValidationCode, 'numberUnclear' | 'amountUnclear'>>>
> = {
  number: { wrongType: 'numberUnclear' },
  money: { wrongType: 'amountUnclear', notAWholeNumber: 'amountUnclear' },
};

interface FieldTexts {
  /** The message for a missing answer, named by the title of its field. */
  required: (position: Pick<FieldPosition, 'field' | 'part'>) => string;
  /** The message for a missing document. */
  missingDocument: (title: string) => string;
  /** The message of an issue, with formatted figures. */
  issue: (issue: ValidationIssue, position: FieldPosition) => string;
  /** Whether the message names the field itself. */
  namesField: (issue: ValidationIssue | undefined, position: FieldPosition) => boolean;
  /** The rule of a field, as a hint; undefined where the field has none worth stating. */
  rule: (field: FormField) => string | undefined;
}

/** The texts about a field in the language of the page. */
export function useFieldTexts(): FieldTexts {
  const { t } = useTranslation(['forms', 'errors', 'shell']);
  const { language } = useLanguage();
  const ruleOf = useRule();
  const figure = useFigure();
  const titleOf = ({ field, part }: Pick<FieldPosition, 'field' | 'part'>) =>
    part ? t(`address.${part}`) : field.title[language];
  const inSentence = (title: string) => titleInSentence(title, language);

  const required: FieldTexts['required'] = (position) => {
    const { field } = position;
    const title = titleOf(position);
    const own = field.requiredMessage?.[language];
    if (own) return own;
    if (field.kind === 'yesNo') return t('required.yesNo');
    if (field.kind === 'choices' || field.kind === 'fines') return t('required.chooseSome');
    if (field.kind === 'group')
      return t('required.addSome', {
        item: itemInSentence((field.itemTitle ?? field.title)[language], language),
      });
    const isChoice = choiceKinds.includes(field.kind);
    if (isQuestion(title)) return t(isChoice ? 'required.chooseAnswer' : 'required.answer');
    return t(isChoice ? 'required.choose' : 'required.enter', { field: inSentence(title) });
  };
  return {
    required,
    missingDocument: (title) => t('required.upload', { field: inSentence(title) }),
    issue: (issue, position) => {
      if (issue.code === 'required') return required(position);
      const unclear = unclearKeys[position.field.kind]?.[issue.code];
      if (unclear) return t(`kit.${unclear}`, { ns: 'shell' });
      return (
        issue.message?.[language] ??
        t(`validation.${issue.code}`, {
          ns: 'errors',
          ...Object.fromEntries(
            Object.entries(issue.params ?? {}).map(([name, value]) => [
              name,
              figure(position.field, value),
            ]),
          ),
        })
      );
    },
    namesField: (issue, position) =>
      issue?.code === 'required' &&
      !['yesNo', 'choices', 'fines', 'group'].includes(position.field.kind) &&
      !isQuestion(titleOf(position)),
    rule: ruleOf,
  };
}

/** Writes the figure of a limit: a day, dirhams or a number. */
function useFigure(): (field: FormField, value: string | number) => string {
  const format = useFormat();
  return (field, value) => {
    if (typeof value === 'string') return format.date(value);
    return field.kind === 'money'
      ? format.money(value * 100, { short: true })
      : format.count(value);
  };
}

/** Shorter minimums are met by every real answer, and longer maximums by almost every one. */
const statedMinimumLength = 4;
const statedMaximumLength = 40;
/** Larger maximums only exclude slips of the hand. */
const statedMaximum = 1000;
/** Days further in the past do so too. */
const statedDays = 5500;

function useRule(): FieldTexts['rule'] {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const format = useFormat();
  const figure = useFigure();
  const range = (minimum: string | undefined, maximum: string | undefined) => {
    if (minimum === undefined) return undefined;
    return maximum === undefined
      ? t('rules.minimum', { minimum })
      : t('rules.range', { minimum, maximum });
  };
  const days = ({ formatMinimum, formatMaximum }: FormField) => {
    const today = serverToday();
    const first = new Date(resolveDateLimit(`today-${statedDays}`, today)).getTime();
    const resolve = (limit: string | undefined) => {
      const day = limit === undefined ? undefined : resolveDateLimit(limit, today);
      return day === undefined || new Date(day).getTime() < first ? undefined : day;
    };
    const [from, to] = [resolve(formatMinimum), resolve(formatMaximum)];
    if (from === today && to === undefined) return t('rules.todayOrLater');
    if (to === today && from === undefined) return t('rules.todayOrEarlier');
    if (from !== undefined && to !== undefined)
      return t('rules.daysBetween', { from: format.date(from), to: format.date(to) });
    if (from !== undefined) return t('rules.dayFrom', { from: format.date(from) });
    return to === undefined ? undefined : t('rules.dayTo', { to: format.date(to) });
  };
  const characters = ({ minLength = 0, maxLength }: FormField) => {
    const maximum =
      maxLength !== undefined && maxLength <= statedMaximumLength ? maxLength : undefined;
    if (minLength < statedMinimumLength)
      return maximum === undefined ? undefined : t('rules.charactersUpTo', { maximum });
    if (maximum === undefined) return t('rules.charactersAtLeast', { minimum: minLength });
    return t('rules.characters', { minimum: minLength, maximum });
  };
  const figures = (field: FormField) => {
    const unit = field.kind === 'money' ? 100 : 1;
    const [minimum = 0, maximum = Infinity] = [field.minimum, field.maximum].map((limit) =>
      limit === undefined ? undefined : limit / unit,
    );
    const highest = maximum <= statedMaximum ? figure(field, maximum) : undefined;
    const isStated = highest !== undefined || minimum > 1;
    return range(isStated ? figure(field, minimum) : undefined, highest);
  };
  return (field) => {
    if (field.patternMessage) return field.patternMessage[language];
    switch (field.kind) {
      case 'text':
      case 'longText':
        return characters(field);
      case 'number':
      case 'money':
        return figures(field);
      case 'date':
        return days(field);
      default:
        return undefined;
    }
  };
}

const numbersIn = (text: string): string[] => text.match(/\d+/g) ?? [];

/** Whether a hint states the numbers of a rule already: "9 digits, on the bill" for "Enter 9 digits". */
export function statesRule(hint: string, rule: string): boolean {
  const numbers = numbersIn(rule);
  return numbers.length > 0 && numbers.every((number) => numbersIn(hint).includes(number));
}
