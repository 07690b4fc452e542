import { useController, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { dayOfLimit, maximumLengthOf } from '@diwan/contract/check-answers';
import type { Answers, FormField } from '@diwan/contract/forms';
import { useLanguage } from '../../lib/language.ts';
import { DateField } from '../../ui/date-field.tsx';
import { MoneyField, NumberField } from '../../ui/number-field.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { TextField, type TextFieldProps } from '../../ui/text-field.tsx';
import { ChoiceControl, type ChoiceKind } from './form-fields-choice.tsx';
import { todayInDubai, type AnswerValues } from './form-fields-form.ts';

interface FieldControlProps {
  field: FormField;
  control: Control<AnswerValues>;
  /** The answer as it will be kept, when it is a good one. */
  cleaned: Answers[string] | undefined;
  error: string | undefined;
}

/** Kinds with a form of their own: what is typed is shown in that form once it is whole. */
const codes: Partial<Record<FormField['kind'], Partial<TextFieldProps>>> = {
  emiratesId: { inputMode: 'numeric', width: 'medium' },
  mobile: { type: 'tel', inputMode: 'tel', width: 'medium' },
  iban: { autoComplete: 'off' },
  trn: { inputMode: 'numeric', width: 'medium' },
  email: { type: 'email', inputMode: 'email' },
};

const choiceKinds: readonly string[] = ['choice', 'choices', 'yesNo', 'nationality', 'emirate'];
const isChoice = (field: FormField): field is FormField & { kind: ChoiceKind } => choiceKinds.includes(field.kind);

const autoCompletes: Record<string, string> = { applicantName: 'name', applicantMobile: 'tel', applicantEmail: 'email' };

/** A pattern of Latin letters and digits asks for a reference, which is written left to right in every language. */
function shapeOfPattern(pattern: string | undefined): Partial<TextFieldProps> {
  if (pattern === undefined || !/^\^?[[(]+[A-Z0-9]/i.test(pattern)) return {};
  return { dir: 'ltr', width: 'medium', inputMode: /^\^\[0-9\][{+]/.test(pattern) ? 'numeric' : undefined };
}

/** The right control for the kind of a field. */
export function FieldControl({ field, control, cleaned, error }: FieldControlProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { field: input } = useController({ name: field.name, control });
  const isCode = field.kind in codes;
  const hint = field.description?.[language] ?? (isCode && field.kind !== 'email' ? t(`hints.${field.kind}`) : undefined);
  const common = { label: field.title[language], description: hint, error, isOptional: !field.required, name: field.name, focusIds: [`answers.${field.name}`], onBlur: input.onBlur, onChange: (value: unknown) => input.onChange(value) };
  const text = typeof input.value === 'string' ? input.value : '';
  const number = typeof input.value === 'number' ? input.value : undefined;

  if (isChoice(field)) return <ChoiceControl {...common} field={field} value={input.value} />;
  switch (field.kind) {
    case 'longText':
      return <TextAreaField {...common} value={text} maxLength={maximumLengthOf(field)} />;
    case 'number':
      return <NumberField {...common} value={number} />;
    case 'money':
      return <MoneyField {...common} value={number} />;
    case 'date': {
      const today = todayInDubai();
      return <DateField {...common} value={text} min={field.formatMinimum && dayOfLimit(field.formatMinimum, today)} max={field.formatMaximum && dayOfLimit(field.formatMaximum, today)} />;
    }
    case 'text':
      return <TextField {...common} autoComplete={autoCompletes[field.name]} dir={text === '' ? undefined : 'auto'} {...shapeOfPattern(field.pattern)} value={text} />;
    default: {
      const tidy = () => {
        if (typeof cleaned === 'string' && cleaned !== text) input.onChange(cleaned);
        input.onBlur();
      };
      return <TextField {...common} autoComplete={autoCompletes[field.name] ?? 'off'} dir="ltr" {...codes[field.kind]} value={text} onBlur={tidy} />;
    }
  }
}
