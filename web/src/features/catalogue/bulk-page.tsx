import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { May } from '#ui/editing/permitted.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import {
  prepareBulkChange,
  roundedTo,
  type CatalogueJob,
  type FeeChange,
} from '@diwan/contract/catalogue/transfer';
import { getAllPartners } from '@diwan/contract/people/partners';
import { pages } from '@diwan/contract/portal/pages';
import { maximumCharge, standardVatRate, vatCategories } from '@diwan/contract/wire/money';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';
import { AmountField, idOf, ScopeFields, unchanged, useScope } from './bulk-scope.tsx';
import { JobView } from './jobs/job-view.tsx';

const nobody = 'nobody';
const wholeNumber = /^\d{1,3}$/;
const percentage = /^[+-]?\d{1,4}(\.\d{1,2})?$/;

/** The service provider that the services get; found by name, since there may be thousands. */
function PartnerField({ value, onChange }: { value: string; onChange: (partner: string) => void }) {
  const { t } = useTranslation('catalogue');
  const [typed, setTyped] = useState('');
  const partners = useCall(getAllPartners, {
    query: { SearchKeyword: typed || undefined, State: 'active', Take: 100 },
    keepPrevious: true,
  });
  return (
    <ComboField
      name="partnerId"
      label={t('bulk.partner')}
      description={t('bulk.partnerHint')}
      placeholder={t('bulk.findPartner')}
      value={value}
      onChange={onChange}
      onSearch={setTyped}
      choices={[
        { value: unchanged, label: t('bulk.unchanged') },
        { value: nobody, label: t('bulk.noPartner') },
        ...(partners.data?.items ?? []).map(({ id, name }) => ({
          value: String(id),
          label: name,
        })),
      ]}
    />
  );
}

const feeKinds = ['percent', 'set', 'add', 'reduce', 'round'] as const;
type FeeKind = (typeof feeKinds)[number];

const minimumOf = (kind: FeeKind) => (kind === 'round' ? roundedTo.minimum : 0);
const maximumOf = (kind: FeeKind) => (kind === 'round' ? roundedTo.maximum : maximumCharge);

/** The change of the fees that is sent: undefined for none, null for one that cannot be sent. */
function readFeeChange(
  kind: FeeKind | undefined,
  percent: string,
  amount: number | undefined,
): FeeChange | null | undefined {
  if (kind === undefined) return undefined;
  if (kind === 'percent') {
    const text = toLatinDigits(percent).trim();
    const value = Number(text);
    return percentage.test(text) && value >= -100 && value <= 1000 ? { change: kind, value } : null;
  }
  if (amount === undefined || !(amount >= minimumOf(kind) && amount <= maximumOf(kind)))
    return null;
  if (kind === 'round') return { change: kind, value: amount };
  return kind === 'set'
    ? { change: kind, value: amount }
    : { change: 'add', value: kind === 'add' ? amount : -amount };
}

/** How every fee changes: in per cent, to an amount, by an amount, or to whole multiples. */
function FeeFields({
  value: { kind, percent, amount },
  onChange,
}: {
  value: { kind: FeeKind | undefined; percent: string; amount: number | undefined };
  onChange: (value: {
    kind: FeeKind | undefined;
    percent: string;
    amount: number | undefined;
  }) => void;
}) {
  const { t } = useTranslation('catalogue');
  const isWrong = readFeeChange(kind, percent, amount) === null;
  return (
    <>
      <SelectField
        label={t('bulk.fees')}
        value={kind ?? unchanged}
        onChange={(next) =>
          onChange({ kind: feeKinds.find((each) => each === next), percent: '', amount: undefined })
        }
        choices={[
          { value: unchanged, label: t('bulk.unchanged') },
          ...feeKinds.map((each) => ({ value: each, label: t(`bulk.feeKinds.${each}`) })),
        ]}
      />
      {kind === 'percent' ? (
        <TextField
          name="feePercent"
          label={t('bulk.percent')}
          description={t('bulk.feesHint')}
          inputMode="decimal"
          dir="ltr"
          width="short"
          value={percent}
          onChange={(next) => onChange({ kind, percent: next, amount })}
          error={percent !== '' && isWrong ? t('bulk.wrongPercent') : undefined}
        />
      ) : null}
      {kind !== undefined && kind !== 'percent' ? (
        <AmountField
          name="feeAmount"
          minimum={minimumOf(kind)}
          maximum={maximumOf(kind)}
          label={t(`bulk.feeAmounts.${kind}`)}
          description={kind === 'reduce' ? t('bulk.notBelowZero') : undefined}
          value={amount}
          onChange={(next) => onChange({ kind, percent, amount: next })}
        />
      ) : null}
    </>
  );
}

function BulkForm({ onPrepared }: { onPrepared: (job: CatalogueJob) => void }) {
  const { t } = useTranslation(['catalogue', 'designer']);
  const { percent: percentText } = useFormat();
  const scope = useScope();
  const [days, setDays] = useState('');
  const [fee, setFee] = useState<Parameters<typeof FeeFields>[0]['value']>({
    kind: undefined,
    percent: '',
    amount: undefined,
  });
  const [vat, setVat] = useState(unchanged);
  const [category, setCategory] = useState(unchanged);
  const [partner, setPartner] = useState(unchanged);
  const [state, setState] = useState(unchanged);
  const categories = useCall(getAllServiceCategory, {});
  const prepare = useAction(prepareBulkChange, { skipErrorHandling: true, onSuccess: onPrepared });
  const typedDays = toLatinDigits(days).trim();
  const workingDays = typedDays === '' ? undefined : Number(typedDays);
  const daysAreWrong =
    workingDays !== undefined && (!wholeNumber.test(typedDays) || workingDays > 365);
  const feeChange = readFeeChange(fee.kind, fee.percent, fee.amount);
  const values = {
    workingDays,
    fee: feeChange ?? undefined,
    vatCategory: vatCategories.find((each) => each === vat),
    categoryId: idOf(category),
    partnerId: partner === nobody ? null : idOf(partner),
    isRetired: state === unchanged ? undefined : state === 'retire',
  };
  const isEmpty = Object.values(values).every((value) => value === undefined);
  const isReady = !isEmpty && !daysAreWrong && feeChange !== null && scope.isUsable;
  return (
    <form
      noValidate
      className="flex max-w-4xl flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) prepare.mutate({ body: { ...scope.body, ...values } });
      }}
    >
      <ScopeFields scope={scope} />
      <h2 className="pt-2 text-lg">{t('bulk.changes')}</h2>
      <TextField
        name="workingDays"
        label={t('fields.workingDays')}
        description={t('bulk.stays')}
        inputMode="numeric"
        dir="ltr"
        width="short"
        value={days}
        onChange={setDays}
        error={daysAreWrong ? t('bulk.wrongDays') : undefined}
      />
      <FeeFields value={fee} onChange={setFee} />
      <SelectField
        label={t('designer:fee.vat')}
        value={vat}
        onChange={setVat}
        choices={[
          { value: unchanged, label: t('bulk.unchanged') },
          ...vatCategories.map((each) => ({
            value: each,
            label: t(`designer:vatCategories.${each}`, {
              rate: percentText(standardVatRate / 10_000),
            }),
          })),
        ]}
      />
      <SelectField
        label={t('fields.category')}
        value={category}
        onChange={setCategory}
        choices={[
          { value: unchanged, label: t('bulk.unchanged') },
          ...(categories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <May call={getAllPartners}>
        <PartnerField value={partner} onChange={setPartner} />
      </May>
      <SelectField
        label={t('bulk.state')}
        value={state}
        onChange={setState}
        choices={[
          { value: unchanged, label: t('bulk.unchanged') },
          { value: 'retire', label: t('bulk.retire') },
          { value: 'restore', label: t('bulk.restore') },
        ]}
      />
      <p className="text-ink-600">
        <span>{t('bulk.closeHint')}</span>{' '}
        <TextLink to={`${pages.adminAnnouncements.path}?tab=closures`}>
          {t('bulk.closeLink')}
        </TextLink>
      </p>
      {prepare.error?.name === 'ServiceNotFound' ? (
        <Alert tone="warning" isLive title={t('bulk.noneFound')}>
          {t('bulk.noneFoundHint')}
        </Alert>
      ) : (
        <ErrorAlert error={prepare.error} title={t('failed')} />
      )}
      <div>
        <Button type="submit" isPending={prepare.isPending} isDisabled={!isReady}>
          {t('bulk.preview')}
        </Button>
      </div>
    </form>
  );
}

/** Changes working days, fees, category and provider of the services with exact values, or of chosen ones. */
export function BulkPage() {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const [job, setJob] = useState<CatalogueJob>();
  usePageTitle(t('bulk.title'));
  return (
    <div className="page pb-16">
      <AdminPageHeader
        title={t('bulk.title')}
        lead={t('bulk.lead')}
        parent={{ label: t('dashboards:services.title'), to: '/dashboard/services' }}
      />
      {job ? (
        <JobView key={job.jobId} prepared={job} onEnd={() => setJob(undefined)} />
      ) : (
        <BulkForm onPrepared={setJob} />
      )}
    </div>
  );
}
