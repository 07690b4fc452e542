import { useMemo, useState, type ReactNode } from 'react';
import { useController, type Control } from 'react-hook-form';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage, localeOf } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import type { FieldProps } from '#ui/forms/field-frame.tsx';
import { MoneyField, NumberField } from '#ui/forms/number-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TextField, type TextFieldProps } from '#ui/forms/text-field.tsx';
import { getMaximumLength, nationalities } from '@diwan/contract/forms/answer-values';
import { emirates } from '@diwan/contract/forms/emirates';
import type { FormField, FieldKind } from '@diwan/contract/forms/forms';
import { AddressControl } from './address-control.tsx';
import { DateControl } from './date-control.tsx';
import { statesRule, useFieldTexts } from './field-texts.ts';
import { groupedCode } from './grouped-codes.ts';
import type { AnswerValues } from './initial-values.ts';

interface CodeFieldProps extends TextFieldProps {
  kind: FieldKind;
  /** The normalized code, when the input is valid. */
  cleaned: unknown;
}

/**
 * Kinds with a normalized form: the value is normalized and shown in groups; it does not change
 * during typing.
 */
const codeProps: Partial<Record<FieldKind, Partial<TextFieldProps>>> = {
  emiratesId: { inputMode: 'numeric', width: 'medium' },
  mobile: { type: 'tel', inputMode: 'tel', width: 'medium' },
  iban: {},
  trn: { inputMode: 'numeric', width: 'medium' },
  email: { type: 'email', inputMode: 'email' },
};

const isCode = (kind: FieldKind): boolean => kind in codeProps;

function CodeField({ kind, cleaned, value, onChange, onBlur, ...field }: CodeFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      dir="ltr"
      {...field}
      {...codeProps[kind]}
      value={typed === value ? typed : groupedCode(kind, value)}
      onChange={(text) => {
        setTyped(text);
        onChange(text);
      }}
      onBlur={() => {
        setTyped(undefined);
        if (typeof cleaned === 'string' && cleaned !== value) onChange(cleaned);
        onBlur?.();
      }}
    />
  );
}

type ChoiceKind = 'choice' | 'choices' | 'yesNo' | 'nationality' | 'emirate';

interface ChoiceControlProps extends FieldProps {
  field: FormField & { kind: ChoiceKind };
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
  onBlur: () => void;
}

/** Few choices are radio buttons, some a select, many a combo box. */
const maximumRadios = 5;
const maximumSelectChoices = 15;

function ChoiceControl({ field, value, ...common }: ChoiceControlProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const chosen = typeof value === 'string' ? value : '';
  const options: Choice[] = (field.oneOf ?? []).map((option) => ({
    value: option.const,
    label: option.title[language],
  }));
  switch (field.kind) {
    case 'choices':
      return (
        <CheckboxGroup
          {...common}
          value={Array.isArray(value) ? (value as string[]) : []}
          choices={options}
        />
      );
    case 'yesNo':
      return (
        <RadioGroup
          {...common}
          isInline
          value={typeof value === 'boolean' ? (value ? 'yes' : 'no') : ''}
          onChange={(answer) => common.onChange(answer === 'yes')}
          choices={[
            { value: 'yes', label: t('yes') },
            { value: 'no', label: t('no') },
          ]}
        />
      );
    case 'emirate':
      // Radio buttons ask for one tap, a list for two.
      return (
        <RadioGroup
          {...common}
          isGrid
          value={chosen}
          choices={emirates.map((emirate) => ({ value: emirate, label: t(`emirates.${emirate}`) }))}
        />
      );
    case 'nationality':
      return <NationalityControl {...common} value={chosen} />;
    default:
      if (options.length <= maximumRadios)
        return <RadioGroup {...common} value={chosen} choices={options} />;
      return options.length <= maximumSelectChoices ? (
        <SelectField {...common} value={chosen} choices={options} />
      ) : (
        <ComboField {...common} value={chosen} choices={options} />
      );
  }
}

function NationalityControl({
  value,
  ...common
}: Omit<ChoiceControlProps, 'field' | 'value'> & { value: string }) {
  const { language } = useLanguage();
  const { country } = useFormat();
  const choices = useMemo(() => {
    const order = new Intl.Collator(localeOf(language));
    return nationalities
      .map((code) => ({ value: code, label: country(code) }))
      .sort((one, other) => order.compare(one.label, other.label));
  }, [language, country]);
  // The combo box holds its text as state, so another language needs a new instance.
  return <ComboField key={language} {...common} width="medium" value={value} choices={choices} />;
}

interface FieldControlProps {
  field: FormField;
  /** The path of the answer: the field name, or `members.0.fullName` within a group. */
  path: string;
  control: Control<AnswerValues>;
  /** The normalized answer, when it is valid. */
  cleaned: unknown;
  isRequired: boolean;
  /** Returns the error message of a path. */
  error: (path: string) => string | undefined;
  onTouched: (path: string) => void;
}

const choiceKinds: readonly string[] = ['choice', 'choices', 'yesNo', 'nationality', 'emirate'];
const isChoice = (field: FormField): field is FormField & { kind: ChoiceKind } =>
  choiceKinds.includes(field.kind);

const sources: Record<string, FormField['prefill']> = {
  applicantName: 'applicantName',
  applicantMobile: 'mobile',
  applicantEmail: 'email',
};
const autoCompletes: Partial<Record<NonNullable<FormField['prefill']>, string>> = {
  applicantName: 'name',
  mobile: 'tel',
  email: 'email',
  companyName: 'organization',
};

/** The autocomplete token: only for fields about the user, not for items of a group. */
function autoCompleteOf(field: FormField, path: string): string | undefined {
  const source = path === field.name ? (field.prefill ?? sources[field.name]) : undefined;
  return source ? autoCompletes[source] : undefined;
}

/**
 * A pattern of Latin letters and digits is a reference, which is left to right in every language. A
 * text in English begins with anything that is no letter, and is as long as other texts.
 */
function shapeOfPattern(pattern: string | undefined): Partial<TextFieldProps> {
  if (pattern?.startsWith('^\\P{L}*[A-Z')) return { dir: 'ltr' };
  if (pattern === undefined || !/^\^?[[(]+[A-Z0-9]/i.test(pattern)) return {};
  return {
    dir: 'ltr',
    width: 'medium',
    inputMode: /^\^(?:\([0-9|]+\))?\[0-9\][{+]/.test(pattern) ? 'numeric' : undefined,
  };
}

const isOwnBirthDate = (field: FormField, path: string) =>
  field.prefill === 'birthDate' && path === field.name;
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The control for the kind of a field. */
export function FieldControl(props: FieldControlProps) {
  const { language } = useLanguage();
  const { field, path, control, isRequired, error, onTouched } = props;
  if (field.kind === 'address')
    return (
      <AddressControl
        path={path}
        control={control}
        label={field.title[language]}
        description={field.description?.[language]}
        isRequired={isRequired}
        isOwn={field.prefill === 'address' && path === field.name}
        error={error}
        onTouched={onTouched}
      />
    );
  return <ValueControl {...props} />;
}

/** The description of a field and its rule; not the rule where the error message says the same. */
function useHint(field: FormField, error: string | undefined): ReactNode {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { rule: ruleOf } = useFieldTexts();
  const hasDefaultHint = isCode(field.kind) && field.kind !== 'email';
  const description =
    field.description?.[language] ?? (hasDefaultHint ? t(`hints.${field.kind}`) : undefined);
  const rule = ruleOf(field);
  if (rule === undefined || rule === error) return description;
  if (description === undefined) return rule;
  if (statesRule(description, rule)) return description;
  return (
    <>
      <span className="block">{description}</span>
      <span className="block">{rule}</span>
    </>
  );
}

function ValueControl({
  field,
  path,
  control,
  cleaned,
  isRequired,
  error,
  onTouched,
}: FieldControlProps) {
  const { language } = useLanguage();
  const { field: input } = useController({ name: path, control });
  const hint = useHint(field, error(path));
  const leave = () => {
    // Shows the Latin letter of a plate that is stored for an Arabic one.
    if (field.format && typeof cleaned === 'string' && cleaned !== input.value)
      input.onChange(cleaned);
    input.onBlur();
    onTouched(path);
  };
  const common = {
    label: field.title[language],
    description: hint,
    error: error(path),
    isOptional: !isRequired,
    name: path,
    focusIds: [`answers.${path}`],
    onBlur: leave,
    onChange: (value: unknown) => input.onChange(value),
  };
  if (isChoice(field)) return <ChoiceControl {...common} field={field} value={input.value} />;
  const text = textOf(input.value);
  const number = {
    value: typeof input.value === 'number' ? input.value : text === '' ? undefined : Number.NaN,
    // JSON has no NaN: the draft keeps the text of a number that is not clear.
    unclearText: text === '' ? undefined : text,
    // An empty one is an empty text: for undefined the form would give the answer of the draft again.
    onChange: (value: number | undefined, typed: string) =>
      input.onChange(Number.isNaN(value) ? typed : (value ?? '')),
  };
  switch (field.kind) {
    case 'longText':
      return <TextAreaField {...common} value={text} maxLength={getMaximumLength(field)} />;
    case 'number':
      return <NumberField {...common} {...number} autoComplete="off" />;
    case 'money':
      return <MoneyField {...common} {...number} autoComplete="off" />;
    case 'date':
      return <DateControl {...common} value={text} isBirthDate={isOwnBirthDate(field, path)} />;
    case 'text':
      return (
        <TextField
          {...common}
          autoComplete={autoCompleteOf(field, path)}
          dir={text === '' ? undefined : 'auto'}
          {...shapeOfPattern(field.pattern)}
          value={text}
        />
      );
    default:
      return (
        <CodeField
          {...common}
          kind={field.kind}
          cleaned={cleaned}
          autoComplete={autoCompleteOf(field, path) ?? 'off'}
          value={text}
        />
      );
  }
}
