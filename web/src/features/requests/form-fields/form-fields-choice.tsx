import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { emirates, nationalities } from '@diwan/contract/forms/answer-values';
import type { FormField } from '@diwan/contract/forms/forms';
import { localeOf, useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { CheckboxGroup } from '../../../ui/forms/checkbox-group.tsx';
import { ComboField } from '../../../ui/forms/combo-field.tsx';
import type { FieldProps } from '../../../ui/forms/field-frame.tsx';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import { SelectField, type Choice } from '../../../ui/forms/select-field.tsx';

export type ChoiceKind = 'choice' | 'choices' | 'yesNo' | 'nationality' | 'emirate';

interface ChoiceControlProps extends FieldProps {
  field: FormField & { kind: ChoiceKind };
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
  onBlur: () => void;
}

/** Few choices are all in sight, some are a list, many are found by typing. */
const mostInSight = 5;
const mostInList = 15;

export function ChoiceControl({ field, value, ...common }: ChoiceControlProps) {
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
      return (
        <SelectField
          {...common}
          width="medium"
          value={chosen}
          choices={emirates.map((emirate) => ({ value: emirate, label: t(`emirates.${emirate}`) }))}
        />
      );
    case 'nationality':
      return <NationalityControl {...common} value={chosen} />;
    default:
      if (options.length <= mostInSight)
        return <RadioGroup {...common} value={chosen} choices={options} />;
      return options.length <= mostInList ? (
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
  // The box holds the name as text, so another language needs a new box.
  return <ComboField key={language} {...common} width="medium" value={value} choices={choices} />;
}
