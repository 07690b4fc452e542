import type { UseFormReturn } from 'react-hook-form';
import { toReasonChoices } from '#features/requests/data/requests.data.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { Money } from '#ui/values/money.tsx';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { vatOn } from '@diwan/contract/wire/money';
import type { ActionDraft } from './action-draft.ts';
import {
  isValidAmount,
  findInvalidCharge,
  type ChargeReason,
  type TypedCharges,
} from './charges.ts';

interface ChargeFieldsProps {
  record: RequestRecord;
  value: TypedCharges;
  onChange: (value: TypedCharges) => void;
  showsErrors: boolean;
  reasons: readonly ChargeReason[];
}

// JSON has no NaN, so that the draft keeps the text of an amount that is not clear.
const splitAmount = (amount: number | undefined, text: string) =>
  Number.isNaN(amount)
    ? { clear: undefined, unclear: text }
    : { clear: amount, unclear: undefined };
const amountOf = (amount: number | undefined, unclearText: string | undefined) => ({
  value: unclearText === undefined ? amount : Number.NaN,
  unclearText,
});

/** The fields for fines and fees with their reasons, with the VAT and the total while typing. */
function ChargeFields({
  record: { addedFeeVatRate },
  value,
  onChange,
  showsErrors,
  reasons,
}: ChargeFieldsProps) {
  const { t } = useTranslation('requests');
  const { percent } = useFormat();
  const wrong = showsErrors ? findInvalidCharge(value, reasons) : undefined;
  const fees = isValidAmount(value.fees) ? (value.fees ?? 0) : 0;
  const fines = isValidAmount(value.fines) ? (value.fines ?? 0) : 0;
  const vat = vatOn(fees, addedFeeVatRate);
  const reasonField = (kind: ChargeReason['kind'], name: 'finesReason' | 'feesReason') => {
    const choices = reasons.filter((each) => each.kind === kind);
    return choices.length === 0 ? (
      <p className="text-sm text-ink-600">{t('charges.noReasons')}</p>
    ) : (
      <SelectField
        name={name}
        label={t(`charges.${name}`)}
        description={t('charges.reasonHint')}
        placeholder={t('charges.chooseReason')}
        value={value[name] ?? ''}
        onChange={(chosen) => onChange({ ...value, [name]: chosen })}
        choices={toReasonChoices(choices)}
        error={wrong === name ? t(`charges.${name}Missing`) : undefined}
        focusIds={['RejectionReasonNotFound']}
      />
    );
  };
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <MoneyField
          name="fines"
          label={t('charges.fines')}
          isOptional
          {...amountOf(value.fines, value.finesText)}
          onChange={(amount, text) => {
            const { clear, unclear } = splitAmount(amount, text);
            onChange({ ...value, fines: clear, finesText: unclear });
          }}
          error={wrong === 'fines' ? t('charges.notAnAmount') : undefined}
          focusIds={['ChargeNotPossible']}
        />
        <MoneyField
          name="totalAdminstrativeFees"
          label={t('charges.fees')}
          description={t('charges.feesHint')}
          isOptional
          {...amountOf(value.fees, value.feesText)}
          onChange={(amount, text) => {
            const { clear, unclear } = splitAmount(amount, text);
            onChange({ ...value, fees: clear, feesText: unclear });
          }}
          error={wrong === 'totalAdminstrativeFees' ? t('charges.notAnAmount') : undefined}
          focusIds={['ChargeVatWrong']}
        />
      </div>
      {fines > 0 ? reasonField('fine', 'finesReason') : null}
      {fees > 0 ? reasonField('fee', 'feesReason') : null}
      {fines > 0 ? (
        <Checkbox
          label={t('charges.holdsGatewayFee')}
          value={value.holdsGatewayFee}
          onChange={(holdsGatewayFee) => onChange({ ...value, holdsGatewayFee })}
        />
      ) : null}
      <dl className="rounded-md bg-desert-50 p-4" aria-live="polite">
        <div className="flex justify-between gap-4">
          <dt>{t('charges.vat', { rate: percent(addedFeeVatRate / 10_000) })}</dt>
          <dd>
            <Money fils={vat} />
          </dd>
        </div>
        <div className="mt-2 flex justify-between gap-4 border-t border-ink-200 pt-2 font-semibold">
          <dt>{t('charges.total')}</dt>
          <dd>
            <Money fils={fines + fees + vat} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/**
 * The charges in the form of an action's dialog. With `isRequired` it is not sent without a fine or
 * a fee.
 */
export function ChargesFormField({
  form: { control, formState, watch },
  record,
  reasons,
  isRequired,
}: Pick<ChargeFieldsProps, 'record' | 'reasons'> & {
  form: UseFormReturn<ActionDraft>;
  isRequired: boolean;
}) {
  const { t } = useTranslation('requests');
  const findProblem = (value: TypedCharges) => {
    const invalid = findInvalidCharge(value, reasons);
    if (invalid || !isRequired || (value.fines ?? 0) + (value.fees ?? 0) > 0) return invalid;
    return t('charges.required');
  };
  const charges = watch('charges');
  const invalid = findInvalidCharge(charges, reasons);
  const problem = formState.isSubmitted ? findProblem(charges) : undefined;
  return (
    <>
      <FormField
        control={control}
        name="charges"
        focusId={invalid ?? 'fines'}
        validate={findProblem}
      >
        {({ value, onChange }) => (
          <ChargeFields
            record={record}
            value={value}
            onChange={onChange}
            reasons={reasons}
            showsErrors={formState.isSubmitted}
          />
        )}
      </FormField>
      {problem && !invalid ? (
        <Alert tone="danger" isLive>
          {problem}
        </Alert>
      ) : null}
    </>
  );
}
