import type { Control, FieldValues } from 'react-hook-form';
import { useTranslation } from '#lib/i18n/translate.ts';
import { emirates } from '@diwan/contract/forms/emirates';
import { isTaxNumber } from '@diwan/contract/forms/parties';
import { FormField } from '../forms/form-dialog.tsx';
import { SelectField } from '../forms/select-field.tsx';
import { TextField } from '../forms/text-field.tsx';

/** The parts of a form that invoices need of a seller or a buyer; empty texts are not given. */
export interface PartyForm {
  street: string;
  city: string;
  emirate: string;
  trn: string;
}

/** The choice of nothing in a list of choices. */
export const nothing = '-';

/**
 * The address and the tax registration number of a seller or a buyer. `findMissing` names the fields that
 * are required with the others.
 */
export function PartyFields<Values extends PartyForm & FieldValues>({
  control: own,
  findMissing,
}: {
  control: Control<Values>;
  findMissing: (values: PartyForm) => readonly string[];
}) {
  const { t } = useTranslation(['parties', 'forms']);
  const control = own as unknown as Control<PartyForm>;
  const missing = (name: keyof PartyForm) => (_: string, values: PartyForm) =>
    findMissing(values).includes(name) ? t('required') : undefined;
  return (
    <>
      <FormField control={control} name="street" validate={missing('street')}>
        {(field) => <TextField {...field} isOptional label={t('street')} maxLength={200} />}
      </FormField>
      <FormField control={control} name="city" validate={missing('city')}>
        {(field) => (
          <TextField {...field} isOptional label={t('city')} width="medium" maxLength={100} />
        )}
      </FormField>
      <FormField control={control} name="emirate" validate={missing('emirate')}>
        {(field) => (
          <SelectField
            {...field}
            isOptional
            width="medium"
            label={t('emirate')}
            value={field.value === '' ? nothing : field.value}
            onChange={(value) => field.onChange(value === nothing ? '' : value)}
            choices={[
              { value: nothing, label: t('none') },
              ...emirates.map((value) => ({ value, label: t(`forms:emirates.${value}`) })),
            ]}
          />
        )}
      </FormField>
      <FormField
        control={control}
        name="trn"
        validate={(value) => (isTaxNumber(value.trim()) ? undefined : t('trnWrong'))}
      >
        {(field) => (
          <TextField
            {...field}
            isOptional
            label={t('trn')}
            description={t('trnHint')}
            dir="ltr"
            inputMode="numeric"
            width="medium"
            maxLength={15}
          />
        )}
      </FormField>
    </>
  );
}
