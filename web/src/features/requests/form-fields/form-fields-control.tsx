import { useController, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { maximumLengthOf } from '@diwan/contract/forms/answer-values';
import type { FormField } from '@diwan/contract/forms/forms';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { MoneyField, NumberField } from '../../../ui/forms/number-field.tsx';
import { TextAreaField } from '../../../ui/forms/text-area-field.tsx';
import { TextField, type TextFieldProps } from '../../../ui/forms/text-field.tsx';
import { AddressControl } from './form-fields-address.tsx';
import { ChoiceControl, type ChoiceKind } from './form-fields-choice.tsx';
import { CodeField, isCode } from './form-fields-code.tsx';
import { DateEntry } from './form-fields-date.tsx';
import type { AnswerValues } from './form-fields-start.ts';

export interface FieldControlProps {
  field: FormField;
  /** Where the answer stands: the name of the field, or within a group `members.0.fullName`. */
  path: string;
  control: Control<AnswerValues>;
  /** The answer as it will be kept, when it is a good one. */
  cleaned: unknown;
  isRequired: boolean;
  /** What is wrong at a path, in words. */
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

/** What a browser may fill in: only what is about the person at it, not the fields of a group. */
function autoCompleteOf(field: FormField, path: string): string | undefined {
  const source = path === field.name ? (field.prefill ?? sources[field.name]) : undefined;
  return source ? autoCompletes[source] : undefined;
}

/**
 * A pattern of Latin letters and digits asks for a reference, which is written left to right in
 * every language.
 */
function shapeOfPattern(pattern: string | undefined): Partial<TextFieldProps> {
  if (pattern === undefined || !/^\^?[[(]+[A-Z0-9]/i.test(pattern)) return {};
  return {
    dir: 'ltr',
    width: 'medium',
    inputMode: /^\^\[0-9\][{+]/.test(pattern) ? 'numeric' : undefined,
  };
}

/** The right control for the kind of a field. */
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

function ValueControl({
  field,
  path,
  control,
  cleaned,
  isRequired,
  error,
  onTouched,
}: FieldControlProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { field: input } = useController({ name: path, control });
  const hint =
    field.description?.[language] ??
    (isCode(field.kind) && field.kind !== 'email' ? t(`hints.${field.kind}`) : undefined);
  const leave = () => {
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
  const text = typeof input.value === 'string' ? input.value : '';
  const number = typeof input.value === 'number' ? input.value : undefined;

  if (isChoice(field)) return <ChoiceControl {...common} field={field} value={input.value} />;
  switch (field.kind) {
    case 'longText':
      return <TextAreaField {...common} value={text} maxLength={maximumLengthOf(field)} />;
    case 'number':
      return <NumberField {...common} value={number} autoComplete="off" />;
    case 'money':
      return <MoneyField {...common} value={number} autoComplete="off" />;
    case 'date':
      return (
        <DateEntry
          {...common}
          value={text}
          isBirthDate={field.prefill === 'birthDate' && path === field.name}
        />
      );
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
