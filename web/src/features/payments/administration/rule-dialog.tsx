import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { FormConflict } from '#ui/editing/form-conflict.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { ServiceChoice } from '#ui/search/service-choice.tsx';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import {
  getPaymentRouting,
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

const isAmount = (value: number | undefined) =>
  value === undefined || (Number.isInteger(value) && value >= 0);

const valuesOf = (rule: PaymentRule | undefined, first: string): RuleForm => ({
  agencyId: rule?.agencyId ? String(rule.agencyId) : '',
  serviceId: rule?.serviceId,
  method: rule?.method ?? none,
  minimum: rule?.minimum,
  maximum: rule?.maximum,
  provider: rule?.provider ?? first,
  fallback: rule?.fallback ?? none,
});

/**
 * Adds, changes or deletes a rule. `saved` is the rule as it is now; another person may have changed it
 * since.
 */
export function RuleDialog({
  rule,
  saved,
  providers,
  onClose,
}: {
  rule: PaymentRule | undefined;
  saved: PaymentRule | undefined;
  providers: readonly PaymentProviderRecord[];
  onClose: () => void;
}) {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const agencies = useAgencies();
  const form = useForm<RuleForm>({
    defaultValues: valuesOf(rule, providers[0]?.name ?? ''),
  });
  // The version that the person has seen.
  const [version, setVersion] = useState(rule?.version);
  const action = useAction(savePaymentRule, {
    skipErrorHandling: true,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
      showToast(t('routing.saved'), 'success');
      onClose();
    },
    onError: ({ name }) => {
      if (name === 'RecordHasChanged')
        void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
    },
  });
  const isConflict = action.error?.name === 'RecordHasChanged' && saved?.version !== version;
  const submit = (values: RuleForm, over = version) => {
    const { agencyId, serviceId, method, minimum, maximum, provider, fallback } = values;
    action.mutate({
      body: {
        ...(rule ? { id: rule.id, version: over } : {}),
        ...(agencyId ? { agencyId: Number(agencyId) } : {}),
        serviceId,
        ...(method === none ? {} : { method: method as PaymentMethod }),
        minimum,
        maximum,
        provider: provider as PaymentProviderName,
        ...(fallback === none ? {} : { fallback: fallback as PaymentProviderName }),
      },
    });
  };
  const choices = providers.map(({ name }) => ({ value: name, label: t(`providers.${name}`) }));
  const amountError = (value: number | undefined) =>
    isAmount(value) ? undefined : t('routing.amountWrong');
  return (
    <FormDialog
      form={form}
      title={t(rule ? 'routing.editTitle' : 'routing.addTitle')}
      submitLabel={t('routing.save')}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={isConflict ? null : action.error}
      errorPosition="bottom"
      onResetError={action.reset}
      onSubmit={(values) => submit(values)}
      onClose={onClose}
      otherAction={
        rule ? (
          <Button
            variant="quiet"
            onPress={() =>
              action.mutate({
                body: { id: rule.id, version, provider: rule.provider, isDeleted: true },
              })
            }
          >
            {t('routing.delete')}
          </Button>
        ) : null
      }
    >
      <p className="text-ink-600">{t('routing.hint')}</p>
      <FormField control={form.control} name="agencyId">
        {(field) => (
          <ComboField {...field} isOptional label={t('routing.agency')} choices={agencies} />
        )}
      </FormField>
      <FormField control={form.control} name="serviceId">
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
      <FormField control={form.control} name="method">
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
      <FormField control={form.control} name="minimum" validate={amountError}>
        {(field) => <MoneyField {...field} isOptional label={t('routing.minimum')} />}
      </FormField>
      <FormField
        control={form.control}
        name="maximum"
        validate={(value, { minimum = 0 }) =>
          amountError(value) ??
          (value !== undefined && value < minimum ? t('routing.maximumTooLow') : undefined)
        }
      >
        {(field) => <MoneyField {...field} isOptional label={t('routing.maximum')} />}
      </FormField>
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
      {isConflict && saved ? (
        <FormConflict
          form={form}
          save={{
            isPending: action.isPending,
            reset: () => {
              setVersion(saved.version);
              action.reset();
            },
          }}
          theirs={valuesOf(saved, '')}
          labels={{
            agencyId: t('routing.agency'),
            serviceId: t('routing.service'),
            method: t('routing.method'),
            minimum: t('routing.minimum'),
            maximum: t('routing.maximum'),
            provider: t('provider'),
            fallback: t('routing.fallback'),
          }}
          onKeepMine={(mine) => submit(mine, saved.version)}
        />
      ) : null}
      {rule ? <ChangeHistory entity="paymentRule" entityId={rule.id} /> : null}
    </FormDialog>
  );
}
