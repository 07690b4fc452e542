import { useState } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { TextField } from '#ui/forms/text-field.tsx';

const usable = /^[a-z][a-zA-Z0-9]{0,39}$/;

/**
 * The name of a part for programs. It takes effect when the field is left, because other parts refer
 * to it; a name that cannot be used stays in the field with the reason.
 */
export function NameField({
  value,
  taken,
  onChange,
  error,
}: {
  value: string;
  /** The names of the others. */
  taken: readonly string[];
  onChange: (name: string) => void;
  error?: string | undefined;
}) {
  const { t } = useTranslation('designer');
  const [typed, setTyped] = useState<string>();
  const problem =
    typed === undefined || typed === value
      ? error
      : !usable.test(typed)
        ? t('name.unusable')
        : taken.includes(typed)
          ? t('name.taken', { name: typed })
          : undefined;
  return (
    <TextField
      label={t('name.label')}
      description={t('name.hint')}
      dir="ltr"
      width="medium"
      maxLength={40}
      value={typed ?? value}
      error={problem}
      onChange={setTyped}
      onBlur={() => {
        if (typed === undefined || problem) return;
        setTyped(undefined);
        if (typed !== value) onChange(typed);
      }}
    />
  );
}
