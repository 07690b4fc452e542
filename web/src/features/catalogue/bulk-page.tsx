import { useState } from 'react';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getServices } from '@diwan/contract/catalogue/services';
import { getAllPartners } from '@diwan/contract/people/partners';
import { prepareBulkChange, type CatalogueJob } from '@diwan/contract/catalogue/transfer';
import { useAction, useCall } from '../../lib/api/use-call.ts';
import { useSearchFilters } from '../../lib/browser/search-params.ts';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { usePageTitle } from '../../lib/page/head.ts';
import { Button } from '../../ui/actions/button.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { Alert, ErrorAlert } from '../../ui/feedback/alert.tsx';
import { ComboField } from '../../ui/forms/combo-field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { JobView } from './jobs/job-view.tsx';

const unchanged = '-';
const nobody = 'nobody';
const wholeNumber = /^\d{1,3}$/;
const percentage = /^[+-]?\d{1,4}(\.\d{1,2})?$/;
const idOf = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

/** The values of the form, as they are sent; undefined for one that cannot be sent. */
function readValues(days: string, percent: string, category: string, partner: string) {
  const workingDays = days.trim() === '' ? undefined : Number(days);
  const feePercent = percent.trim() === '' ? undefined : Number(percent);
  return {
    workingDays,
    feePercent,
    categoryId: idOf(category),
    partnerId: partner === nobody ? null : idOf(partner),
    daysAreWrong:
      workingDays !== undefined && (!wholeNumber.test(days.trim()) || workingDays > 365),
    percentIsWrong:
      feePercent !== undefined &&
      (!percentage.test(percent.trim()) || feePercent < -100 || feePercent > 1000),
  };
}

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

function BulkForm({ onPrepared }: { onPrepared: (job: CatalogueJob) => void }) {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const filters = useSearchFilters('agency');
  const agencyId = idOf(filters.values.agency);
  const [days, setDays] = useState('');
  const [percent, setPercent] = useState('');
  const [category, setCategory] = useState(unchanged);
  const [partner, setPartner] = useState(unchanged);
  const agencies = useCall(governmentAgencyCollection, {});
  const categories = useCall(getAllServiceCategory, {});
  const found = useCall(getServices, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      GovernmentAgencyId: agencyId,
      PageSize: 1,
    },
  });
  const prepare = useAction(prepareBulkChange, { skipErrorHandling: true, onSuccess: onPrepared });
  const values = readValues(days, percent, category, partner);
  const isEmpty =
    values.workingDays === undefined &&
    values.feePercent === undefined &&
    values.categoryId === undefined &&
    values.partnerId === undefined;
  const isWrong = values.daysAreWrong || values.percentIsWrong;
  return (
    <form
      noValidate
      className="flex max-w-form flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEmpty || isWrong) return;
        const { workingDays, feePercent, categoryId, partnerId } = values;
        prepare.mutate({
          body: {
            all: { searchKeyword: filters.keyword || undefined, agencyId },
            workingDays,
            feePercent,
            categoryId,
            partnerId,
          },
        });
      }}
    >
      <SelectField
        label={t('dashboards:services.agency')}
        value={agencyId === undefined ? unchanged : String(agencyId)}
        onChange={(value) => filters.change({ agency: value === unchanged ? undefined : value })}
        choices={[
          { value: unchanged, label: t('dashboards:services.anyAgency') },
          ...(agencies.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <Alert tone="info">
        {found.data ? t('bulk.found', { count: found.data.totalCount }) : t('bulk.counting')}
      </Alert>
      <TextField
        name="workingDays"
        label={t('fields.workingDays')}
        description={t('bulk.stays')}
        inputMode="numeric"
        dir="ltr"
        width="short"
        value={days}
        onChange={setDays}
        error={values.daysAreWrong ? t('bulk.wrongDays') : undefined}
      />
      <TextField
        name="feePercent"
        label={t('bulk.fees')}
        description={t('bulk.feesHint')}
        inputMode="decimal"
        dir="ltr"
        width="short"
        value={percent}
        onChange={setPercent}
        error={values.percentIsWrong ? t('bulk.wrongPercent') : undefined}
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
      <PartnerField value={partner} onChange={setPartner} />
      <ErrorAlert error={prepare.error} title={t('failed')} />
      <div>
        <Button
          type="submit"
          isPending={prepare.isPending}
          isDisabled={isEmpty || isWrong || !found.data || found.data.totalCount === 0}
        >
          {t('bulk.preview')}
        </Button>
      </div>
    </form>
  );
}

/** Changes working days, fees and category of all services of an agency or a search. */
export function BulkPage() {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const [job, setJob] = useState<CatalogueJob>();
  usePageTitle(t('bulk.title'));
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('bulk.title')}
        lead={t('bulk.lead')}
        crumbs={[
          { label: t('dashboards:admin.title'), to: '/dashboard-Admin' },
          { label: t('dashboards:services.title'), to: '/dashboard/services' },
          { label: t('bulk.title') },
        ]}
      />
      {job ? (
        <JobView key={job.jobId} prepared={job} onEnd={() => setJob(undefined)} />
      ) : (
        <BulkForm onPrepared={setJob} />
      )}
    </div>
  );
}
