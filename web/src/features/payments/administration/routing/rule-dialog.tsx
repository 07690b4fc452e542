import { useQueryClient } from '@tanstack/react-query';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { useCall, useReadAgain } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { ServiceChoice } from '#ui/search/service-choice.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import {
  getPaymentRouting,
  paymentProviderNames,
  type PaymentProviderName,
  type PaymentProviderRecord,
  type PaymentRule,
  savePaymentRule,
} from '@diwan/contract/payments/providers';
import { type PaymentMethod, paymentMethods } from '@diwan/contract/requests/payments';

const none = '-';

interface RuleForm {
  agencyId: string;
  serviceId: number | undefined;
  method: string;
  minimum: number | undefined;
  maximum: number | undefined;
  provider: string;
  fallback: string;
}

/** The agencies as choices. */
export function useAgencies() {
  const { language } = useLanguage();
  const { data } = useCall(getAgencyRecords, { staleTime: 60_000 });
  return (data ?? []).map((agency) => ({ value: String(agency.id), label: agency.name[language] }));
}

/** The payment providers of lists, as choices: those that are set up, have payments, or are chosen. */
export function usePaidProviders(chosen?: string) {
  const { t } = useTranslation('payment-desk');
  const { data } = useCall(getPaymentRouting, { staleTime: 60_000 });
  return paymentProviderNames
    .filter(
      (value) =>
        value === chosen ||
        data?.providers.some(
          ({ name, isConfigured, hasPayments }) => name === value && (isConfigured || hasPayments),
        ),
    )
    .map((value) => ({ value, label: t(`providers.${value}`) }));
}

const isAmount = (value: number | undefined) =>
  value === undefined || (Number.isInteger(value) && value >= 0);

const valuesOf = (rule: PaymentRule | undefined, first = ''): RuleForm => ({
  agencyId: rule?.agencyId ? String(rule.agencyId) : '',
  serviceId: rule?.serviceId,
  method: rule?.method ?? none,
  minimum: rule?.minimum,
  maximum: rule?.maximum,
  provider: rule?.provider ?? first,
  fallback: rule?.fallback ?? none,
});

const bodyOf = (
  { agencyId, serviceId, method, minimum, maximum, provider, fallback }: RuleForm,
  over: PaymentRule | undefined,
) => ({
  ...(over ? { id: over.id, version: over.version } : {}),
  ...(agencyId ? { agencyId: Number(agencyId) } : {}),
  serviceId,
  ...(method === none ? {} : { method: method as PaymentMethod }),
  minimum,
  maximum,
  provider: provider as PaymentProviderName,
  ...(fallback === none ? {} : { fallback: fallback as PaymentProviderName }),
});

interface FieldsProps {
  form: UseFormReturn<RuleForm>;
}

/** The payments that a rule is for. */
function PaymentFields({ form: { control } }: FieldsProps) {
  const { t } = useTranslation('payment-desk');
  const agencies = useAgencies();
  const amountError = (value: number | undefined) =>
    isAmount(value) ? undefined : t('routing.amountWrong');
  return (
    <>
      <FormField control={control} name="agencyId">
        {(field) => (
          <ComboField {...field} isOptional label={t('routing.agency')} choices={agencies} />
        )}
      </FormField>
      <FormField control={control} name="serviceId">
        {(field) => (
          <ServiceChoice
            isOptional
            name={field.name}
            serviceId={field.value}
            onChange={field.onChange}
            error={field.error}
          />
        )}
      </FormField>
      <FormField control={control} name="method">
        {(field) => (
          <SelectField
            {...field}
            label={t('routing.method')}
            choices={[
              { value: none, label: t('routing.anyMethod') },
              ...paymentMethods.map((value) => ({ value, label: t(`methods.${value}`) })),
            ]}
          />
        )}
      </FormField>
      <FormField control={control} name="minimum" validate={amountError}>
        {(field) => <MoneyField {...field} isOptional label={t('routing.minimum')} />}
      </FormField>
      <FormField
        control={control}
        name="maximum"
        validate={(value, { minimum = 0 }) =>
          amountError(value) ??
          (value !== undefined && value < minimum ? t('routing.maximumTooLow') : undefined)
        }
      >
        {(field) => <MoneyField {...field} isOptional label={t('routing.maximum')} />}
      </FormField>
    </>
  );
}

/** The provider that takes the payments, and the one while it is not available. */
function ProviderFields({
  form,
  providers,
}: FieldsProps & { providers: readonly PaymentProviderRecord[] }) {
  const { t } = useTranslation('payment-desk');
  const choices = providers.map(({ name }) => ({ value: name, label: t(`providers.${name}`) }));
  return (
    <>
      <FormField control={form.control} name="provider">
        {(field) => <SelectField {...field} label={t('provider')} choices={choices} />}
      </FormField>
      <FormField
        control={form.control}
        name="fallback"
        validate={(value) =>
          value === form.getValues('provider') ? t('routing.fallbackSame') : undefined
        }
      >
        {(field) => (
          <SelectField
            {...field}
            label={t('routing.fallback')}
            description={t('routing.fallbackHint')}
            choices={[{ value: none, label: t('routing.noFallback') }, ...choices]}
          />
        )}
      </FormField>
    </>
  );
}

/** Adds, changes or deletes a rule. */
export function RuleDialog({
  rule,
  providers,
  onClose,
}: {
  rule: PaymentRule | undefined;
  providers: readonly PaymentProviderRecord[];
  onClose: () => void;
}) {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const readRouting = useReadAgain(getPaymentRouting);
  const form = useForm<RuleForm>({
    defaultValues: valuesOf(rule, providers[0]?.name),
  });
  return (
    <RecordDialog
      form={form}
      title={t(rule ? 'routing.editTitle' : 'routing.addTitle')}
      submitLabel={t('routing.save')}
      cancelLabel={t('cancel')}
      submitsOnEnter
      record={rule}
      valuesOf={valuesOf}
      call={savePaymentRule}
      bodyOf={bodyOf}
      readAgain={async () => (await readRouting()).rules.find(({ id }) => id === rule?.id)}
      labels={{
        agencyId: t('routing.agency'),
        serviceId: t('routing.service'),
        method: t('routing.method'),
        minimum: t('routing.minimum'),
        maximum: t('routing.maximum'),
        provider: t('provider'),
        fallback: t('routing.fallback'),
      }}
      onSaved={() => {
        void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
        showToast(t('routing.saved'), 'success');
      }}
      remove={{
        label: t('routing.delete'),
        bodyOf: ({ id, version, provider }) => ({ id, version, provider, isDeleted: true }),
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="text-ink-600">{t('routing.hint')}</p>
          <PaymentFields form={form} />
          <ProviderFields form={form} providers={providers} />
          {rule ? <ChangeHistory entity="paymentRule" entityId={rule.id} /> : null}
        </>
      )}
    </RecordDialog>
  );
}
