import { useWatch, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { FormField } from '../forms/form-dialog.tsx';
import { LocalizedFields } from './localized-fields.tsx';

interface LocalizedFormFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  legend: string;
  description?: string;
  rows?: number;
  maxLength: number;
  /** May be blank in every language, but not in one alone. */
  isOptional?: boolean;
  /** The error of the last submission; its messages by language are shown at the languages. */
  error: ApiError | null;
}

/** The first language in which a text is missing; an optional one may be missing in all. */
function findBlank(text: LocalizedText, isOptional = false): Language | undefined {
  const blank = languages.filter((language) => text[language].trim() === '');
  return isOptional && blank.length === languages.length ? undefined : blank[0];
}

/** A text in three languages in a form: errors are shown at their language. */
export function LocalizedFormField<Values extends FieldValues>({
  control,
  name,
  error: sendError,
  ...field
}: LocalizedFormFieldProps<Values>) {
  const { t } = useTranslation('changes');
  const errorsOf = (value: LocalizedText, isWrong: boolean) => {
    const errors: Partial<Record<Language, string>> = {};
    for (const language of languages) {
      const sent = sendError?.fieldErrors[`${name}.${language}`]?.join(' ');
      if (isWrong && value[language].trim() === '') errors[language] = t('missing');
      else if (sent) errors[language] = sent;
    }
    return errors;
  };
  const value = useWatch({ control, name }) as LocalizedText | undefined;
  return (
    <FormField
      control={control}
      name={name}
      focusId={`${name}.${(value && findBlank(value, field.isOptional)) ?? languages[0]}`}
      validate={(text) =>
        findBlank(text as LocalizedText, field.isOptional) ? t('missing') : undefined
      }
    >
      {({ value: text, onChange, error }) => (
        <LocalizedFields
          {...field}
          name={name}
          value={text as LocalizedText}
          onChange={(changed) => onChange(changed as typeof text)}
          error={errorsOf(text as LocalizedText, error !== undefined)}
        />
      )}
    </FormField>
  );
}
