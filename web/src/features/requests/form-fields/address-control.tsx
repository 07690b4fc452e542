import { useState } from 'react';
import { useController, type Control } from 'react-hook-form';
import { useTranslation } from '#lib/i18n/translate.ts';
import { FieldHint, OptionalMark, useFieldIds } from '#ui/forms/field-frame.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  getAddressField,
  addressParts,
  type AddressPart,
} from '@diwan/contract/forms/address-answers';
import { getMaximumLength } from '@diwan/contract/forms/answer-values';
import { emirates } from '@diwan/contract/forms/emirates';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';
import { groupedMakani } from './grouped-codes.ts';
import type { AnswerValues } from './initial-values.ts';

interface AddressControlProps {
  path: string;
  label: string;
  description?: string;
  isRequired: boolean;
  /** Whether it is the user's own address, which the browser may fill in. */
  isOwn: boolean;
  control: Control<AnswerValues>;
  error: (path: string) => string | undefined;
  onTouched: (path: string) => void;
}

const autoCompletes: Partial<Record<AddressPart, string>> = {
  area: 'address-level2',
  street: 'address-line1',
  building: 'address-line2',
  unit: 'address-line3',
};

/** An address in the UAE, with one field for each part. */
export function AddressControl({
  path,
  label,
  description,
  isRequired,
  isOwn,
  control,
  error,
  onTouched,
}: AddressControlProps) {
  const { t } = useTranslation('forms');
  const ids = useFieldIds({ description });
  const { field: input } = useController({ name: path, control });
  const given =
    typeof input.value === 'object' && input.value !== null
      ? (input.value as Partial<Record<AddressPart, unknown>>)
      : {};
  const isStarted = Object.values(given).some((value) => value !== '' && value !== undefined);
  const [typedMakani, setTypedMakani] = useState<string>();
  const change = (part: AddressPart) => (value: string) => {
    if (part === 'makani') setTypedMakani(value);
    input.onChange({ ...given, [part]: value });
  };
  const textOf = (part: AddressPart): string => {
    const text = given[part];
    if (typeof text !== 'string') return '';
    // Stored without a space; grouped unless it is being typed.
    return part === 'makani' && text !== typedMakani ? groupedMakani(text) : text;
  };
  const partProps = (part: AddressPart) => ({
    label: t(`address.${part}`),
    description: part === 'makani' ? t('address.makaniHint') : undefined,
    error: error(`${path}.${part}`),
    name: `${path}.${part}`,
    focusIds: [`answers.${path}.${part}`, ...(part === 'emirate' ? [path, `answers.${path}`] : [])],
    value: textOf(part),
    onChange: change(part),
    isOptional: !getAddressField(part).required || !(isRequired || isStarted),
    onBlur: () => {
      const formatted =
        part === 'makani'
          ? groupedMakani(toLatinDigits(String(given[part] ?? '')).replace(/[\s-]/g, ''))
          : undefined;
      if (formatted && formatted !== given[part]) change(part)(formatted);
      input.onBlur();
      onTouched(`${path}.${part}`);
    },
  });
  return (
    <fieldset aria-describedby={ids.describedBy} className="rounded-md border border-ink-200 p-4">
      <legend className="px-1 font-semibold text-ink-900">
        <span>{label}</span>
        {isRequired ? null : <OptionalMark />}
      </legend>
      <FieldHint id={ids.hint}>{description}</FieldHint>
      <div className="mt-4 grid items-end gap-5 sm:grid-cols-2">
        {addressParts.map((part) => (
          <div key={part} className={part === 'landmark' ? 'sm:col-span-2' : undefined}>
            {part === 'emirate' ? (
              <SelectField
                {...partProps(part)}
                choices={emirates.map((emirate) => ({
                  value: emirate,
                  label: t(`emirates.${emirate}`),
                }))}
              />
            ) : (
              <TextField
                {...partProps(part)}
                maxLength={part === 'makani' ? undefined : getMaximumLength(getAddressField(part))}
                {...(part === 'makani'
                  ? ({ dir: 'ltr', inputMode: 'numeric', autoComplete: 'off' } as const)
                  : {
                      dir: given[part] ? ('auto' as const) : undefined,
                      autoComplete: isOwn ? autoCompletes[part] : 'off',
                    })}
              />
            )}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
