import { useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { send } from '#lib/api/send.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { SpecialDataField } from '#ui/designs/special-data-field.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { getAgencyRecords, saveAgencyDiscounts } from '@diwan/contract/catalogue/agencies';
import {
  maximumDiscounts,
  maximumDiscountTitleLength,
  type DiscountRule,
} from '@diwan/contract/catalogue/fees';
import type { GroupRecord } from '@diwan/contract/catalogue/groups';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';

interface DiscountValues {
  discounts: DiscountRule[];
}

const usualAge = 60;

function newDiscount(others: readonly DiscountRule[]): DiscountRule {
  const names = new Set(others.map(({ name }) => name));
  let number = others.length + 1;
  while (names.has(`discount${number}`)) number += 1;
  return {
    name: `discount${number}`,
    title: noText,
    rate: 5000,
    evidence: { kind: 'document', title: noText },
  };
}

const blankIn = (text: LocalizedText) =>
  languages.filter((language) => text[language].trim() === '');
const isAge = (years: number) => Number.isInteger(years) && years >= 1 && years <= 120;
const isWholePercent = (rate: number) => rate >= 100 && rate <= 10_000 && rate % 100 === 0;

/** The focus id of the first field that keeps the discounts from being saved. */
function findInvalid(discounts: readonly DiscountRule[]): string | undefined {
  for (const { name, title, rate, evidence } of discounts) {
    const [blank] = blankIn(title);
    if (blank) return `${name}.title.${blank}`;
    if (!isWholePercent(rate)) return `${name}.rate`;
    const [unnamed] = evidence.kind === 'document' ? blankIn(evidence.title) : [];
    if (unnamed) return `${name}.document.${unnamed}`;
    if (evidence.kind === 'age' && !isAge(evidence.from)) return `${name}.age`;
  }
  return undefined;
}

interface DiscountFieldsProps {
  discount: DiscountRule;
  number: number;
  showsErrors: boolean;
  onChange: (discount: DiscountRule) => void;
  onRemove: () => void;
}

/** One discount: its name, its percentage, and what proves the right to it. */
function DiscountFields({
  discount,
  number,
  showsErrors,
  onChange,
  onRemove,
}: DiscountFieldsProps) {
  const { t } = useTranslation(['catalogue', 'changes']);
  const { count } = useFormat();
  const { name, title, rate, evidence } = discount;
  const missing = (text: LocalizedText) =>
    showsErrors
      ? Object.fromEntries(blankIn(text).map((language) => [language, t('changes:missing')]))
      : {};
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-lg border border-ink-200 p-4">
      <legend className="px-1 font-semibold">
        {t('discounts.one', { number: count(number) })}
      </legend>
      <LocalizedFields
        legend={t('discounts.title')}
        description={t('discounts.titleHint')}
        name={`${name}.title`}
        maxLength={maximumDiscountTitleLength}
        value={title}
        onChange={(text) => onChange({ ...discount, title: text })}
        error={missing(title)}
      />
      <NumberField
        label={t('discounts.rate')}
        description={t('discounts.rateHint')}
        name={`${name}.rate`}
        suffix="%"
        value={Number.isNaN(rate) ? NaN : rate / 100}
        onChange={(percent) => onChange({ ...discount, rate: (percent ?? NaN) * 100 })}
        error={showsErrors && !isWholePercent(rate) ? t('discounts.rateWrong') : undefined}
      />
      <RadioGroup
        label={t('discounts.evidence')}
        isInline
        value={evidence.kind}
        onChange={(kind) =>
          onChange({
            ...discount,
            evidence:
              kind === 'age'
                ? { kind: 'age', from: usualAge, isForCitizens: true }
                : { kind: 'document', title: noText },
          })
        }
        choices={[
          { value: 'document', label: t('discounts.document'), hint: t('discounts.documentHint') },
          { value: 'age', label: t('discounts.age'), hint: t('discounts.ageHint') },
        ]}
      />
      {evidence.kind === 'document' ? (
        <>
          <LocalizedFields
            legend={t('discounts.documentTitle')}
            name={`${name}.document`}
            maxLength={maximumDiscountTitleLength}
            value={evidence.title}
            onChange={(text) => onChange({ ...discount, evidence: { ...evidence, title: text } })}
            error={missing(evidence.title)}
          />
          <SpecialDataField
            value={evidence.special}
            onChange={(special) => {
              const { special: _, ...rest } = evidence;
              onChange({ ...discount, evidence: { ...rest, ...(special ? { special } : {}) } });
            }}
          />
        </>
      ) : (
        <>
          <NumberField
            label={t('discounts.from')}
            name={`${name}.age`}
            value={evidence.from}
            onChange={(from) =>
              onChange({ ...discount, evidence: { ...evidence, from: from ?? NaN } })
            }
            error={showsErrors && !isAge(evidence.from) ? t('discounts.ageWrong') : undefined}
          />
          <Checkbox
            label={t('discounts.citizens')}
            value={evidence.isForCitizens === true}
            onChange={(isForCitizens) =>
              onChange({ ...discount, evidence: { ...evidence, isForCitizens } })
            }
          />
        </>
      )}
      <div>
        <Button
          size="sm"
          variant="quiet"
          icon={<Trash2 aria-hidden size={18} />}
          onPress={onRemove}
        >
          {t('discounts.remove')}
        </Button>
      </div>
    </fieldset>
  );
}

/** The discounts that an agency gives on the fees of its services. */
export function AgencyDiscountsDialog({
  agency,
  onClose,
}: {
  agency: GroupRecord;
  onClose: () => void;
}) {
  const { t } = useTranslation(['catalogue', 'changes']);
  const { language } = useLanguage();
  const client = useQueryClient();
  const [current, setCurrent] = useState(agency);
  const form = useForm<DiscountValues>({
    defaultValues: { discounts: [...(agency.discounts ?? [])] },
  });
  const save = useAction(saveAgencyDiscounts, {
    skipErrorHandling: true,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getAgencyRecords.name] });
      showToast(t('saved'), 'success');
      onClose();
    },
  });
  const discounts = useWatch({ control: form.control, name: 'discounts' });
  const isConflict = save.error?.name === 'RecordHasChanged';
  const takeTheirs = async () => {
    const theirs = (await send(getAgencyRecords, {})).find(({ id }) => id === agency.id);
    if (!theirs) return;
    setCurrent(theirs);
    form.reset({ discounts: [...(theirs.discounts ?? [])] });
    save.reset();
  };
  return (
    <FormDialog
      form={form}
      kind="wide"
      title={t('discounts.of', { name: agency.name[language] })}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      isPending={save.isPending}
      error={save.error}
      errorTitle={t('failed')}
      errorPosition={isConflict ? 'none' : 'bottom'}
      onResetError={save.reset}
      submitsOnEnter={false}
      onSubmit={(values) => {
        const { id: agencyId, version } = current;
        save.mutate({ body: { agencyId, version, ...values } });
      }}
      onClose={onClose}
    >
      <p className="max-w-form text-ink-600">{t('discounts.lead')}</p>
      <FormField
        control={form.control}
        name="discounts"
        focusId={findInvalid(discounts)}
        validate={(value) => findInvalid(value)}
      >
        {({ value, onChange, error }) => (
          <div className="flex flex-col gap-5">
            {value.length === 0 ? <p>{t('discounts.none')}</p> : null}
            {value.map((discount, index) => (
              <DiscountFields
                key={discount.name}
                discount={discount}
                number={index + 1}
                showsErrors={error !== undefined}
                onChange={(changed) =>
                  onChange(value.map((each) => (each === discount ? changed : each)))
                }
                onRemove={() => onChange(value.filter((each) => each !== discount))}
              />
            ))}
            {value.length < maximumDiscounts ? (
              <div>
                <Button
                  variant="secondary"
                  icon={<Plus aria-hidden size={18} />}
                  onPress={() => onChange([...value, newDiscount(value)])}
                >
                  {t('discounts.add')}
                </Button>
              </div>
            ) : null}
          </div>
        )}
      </FormField>
      {isConflict ? (
        <Alert
          tone="warning"
          isLive
          title={t('discounts.conflict')}
          action={
            <Button variant="secondary" size="sm" onPress={() => void takeTheirs()}>
              {t('discounts.takeTheirs')}
            </Button>
          }
        >
          {t('discounts.conflictText')}
        </Alert>
      ) : null}
      <ChangeHistory entity="agency" entityId={agency.id} />
    </FormDialog>
  );
}
