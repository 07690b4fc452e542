import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Money } from '#ui/values/money.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  endReferralCode,
  getReferralCodes,
  getReferralCodeUses,
  maximumReferralNameLength,
  maximumReferralUses,
  referralCodeForm,
  referralCodeStates,
  saveReferralCode,
  type ReferralCode,
} from '@diwan/contract/payments/referral-codes';
import { isRealDay } from '@diwan/contract/wire/days';
import type { LocalizedText } from '@diwan/contract/wire/languages';

const pageSize = 20;

function useRefresh() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [getReferralCodes.name] });
}

interface CodeForm {
  code: string;
  name: LocalizedText;
  validFrom: string;
  validUntil: string;
  mostUses: number | undefined;
}

/** Adds a code, or changes one that nobody has used. */
function CodeDialog({ code, onClose }: { code: ReferralCode | undefined; onClose: () => void }) {
  const { t } = useTranslation('referral-codes');
  const refresh = useRefresh();
  const form = useForm<CodeForm>({
    defaultValues: {
      code: code?.code ?? '',
      name: code?.name ?? { 'ar-EG': '', 'en-US': '', 'ur-PK': '' },
      validFrom: code?.validFrom ?? serverToday(),
      validUntil: code?.validUntil ?? '',
      mostUses: code?.mostUses,
    },
  });
  const action = useAction(saveReferralCode, {
    skipErrorHandling: true,
    onSuccess: () => {
      refresh();
      showToast(t('saved'), 'success');
      onClose();
    },
    onError: refresh,
  });
  const { control } = form;
  const checkUntil = (day: string) => {
    if (day === '') return undefined;
    if (!isRealDay(day)) return t('dayWrong');
    return day < form.getValues('validFrom') ? t('dayOrder') : undefined;
  };
  return (
    <FormDialog
      form={form}
      kind="wide"
      title={t(code ? 'edit' : 'add')}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={action.error}
      errorPosition="bottom"
      fieldOfError={(error) => (error.name === 'ReferralCodeTaken' ? 'code' : undefined)}
      submitsOnEnter={false}
      onResetError={action.reset}
      onSubmit={({ validUntil, mostUses, ...values }) =>
        action.mutate({
          body: {
            ...values,
            version: code?.version ?? 0,
            ...(validUntil === '' ? {} : { validUntil }),
            ...(mostUses === undefined ? {} : { mostUses }),
          },
        })
      }
      onClose={onClose}
    >
      <FormField
        control={control}
        name="code"
        validate={(value) =>
          referralCodeForm.test(value.trim().toUpperCase()) ? undefined : t('codeWrong')
        }
      >
        {(field) => (
          <TextField
            {...field}
            label={t('code')}
            description={t('codeHint')}
            dir="ltr"
            maxLength={40}
            width="medium"
            isDisabled={code !== undefined}
          />
        )}
      </FormField>
      <LocalizedFormField
        control={control}
        name="name"
        legend={t('name')}
        maxLength={maximumReferralNameLength}
        error={action.error}
      />
      <FormField
        control={control}
        name="validFrom"
        validate={(day) => (isRealDay(day) ? undefined : t('dayWrong'))}
      >
        {(field) => <DayField {...field} label={t('validFrom')} isRequired />}
      </FormField>
      <FormField control={control} name="validUntil" validate={checkUntil}>
        {(field) => <DayField {...field} label={t('validUntilOptional')} />}
      </FormField>
      <FormField
        control={control}
        name="mostUses"
        validate={(value) =>
          value === undefined ||
          (Number.isInteger(value) && value >= 1 && value <= maximumReferralUses)
            ? undefined
            : t('usesWrong')
        }
      >
        {(field) => <NumberField {...field} label={t('mostUses')} isOptional />}
      </FormField>
    </FormDialog>
  );
}

function EndDialog({ code, onClose }: { code: ReferralCode; onClose: () => void }) {
  const { t } = useTranslation('referral-codes');
  const refresh = useRefresh();
  const action = useAction(endReferralCode, {
    skipErrorHandling: true,
    onSuccess: () => {
      refresh();
      showToast(t('endedNow'), 'success');
      onClose();
    },
    onError: refresh,
  });
  return (
    <ConfirmDialog
      title={t('end')}
      confirmLabel={t('end')}
      cancelLabel={t('cancel')}
      isDangerous
      isPending={action.isPending}
      onConfirm={() => action.mutate({ body: { code: code.code, version: code.version } })}
      onClose={onClose}
    >
      <ErrorAlert error={action.error} />
      <p>{t('endText', { code: `\u2066${code.code}\u2069` })}</p>
    </ConfirmDialog>
  );
}

/** Who used a code: the requests, each with a link. */
function UsesDialog({ code, onClose }: { code: ReferralCode; onClose: () => void }) {
  const { t } = useTranslation('referral-codes');
  const [page, setPage] = useState(1);
  const { data, error, refetch, isRefetching } = useCall(getReferralCodeUses, {
    query: { Code: code.code, PageNumber: page, Take: pageSize },
    keepPrevious: true,
  });
  return (
    <Dialog isOpen title={t('usesOf', { code: `\u2066${code.code}\u2069` })} onClose={onClose}>
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : null}
      {!data && !error ? <SkeletonRows count={3} /> : null}
      {data?.items.length === 0 ? (
        <EmptyState title={t('neverUsed')}>{t('neverUsedText')}</EmptyState>
      ) : null}
      {data && data.items.length > 0 ? (
        <div className="flex flex-col gap-4">
          <ul className="divide-y divide-ink-100">
            {data.items.map(({ requestNumber, serviceName, total, sentAt }) => (
              <li
                key={requestNumber}
                className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-3"
              >
                <span className="min-w-0">
                  <Link
                    to={`/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`}
                    className="link"
                  >
                    <bdi dir="ltr">{requestNumber}</bdi>
                  </Link>
                  <bdi className="block text-sm text-ink-600">{serviceName}</bdi>
                </span>
                <span className="text-sm text-ink-600">
                  <span className="block">
                    <Moment at={sentAt} />
                  </span>
                  <span className="block">
                    <Money fils={total} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <Pager
            pageNumber={page}
            pageSize={pageSize}
            totalCount={data.totalCount}
            onSelect={setPage}
          />
        </div>
      ) : null}
    </Dialog>
  );
}

const tones = {
  active: 'done',
  planned: 'progress',
  usedUp: 'refused',
  ended: 'refused',
} as const;

type Opened = { dialog: 'edit' | 'end' | 'uses'; code: ReferralCode } | { dialog: 'add' };

function useColumns(open: (opened: Opened) => void): Column<ReferralCode>[] {
  const { t } = useTranslation('referral-codes');
  const { language } = useLanguage();
  const { date, count } = useFormat();
  return [
    {
      key: 'code',
      header: t('code'),
      isPrimary: true,
      cell: ({ code, name }) => (
        <span className="flex flex-col items-start">
          <bdi dir="ltr">{code}</bdi>
          <bdi className="text-sm font-normal text-ink-600">{name[language]}</bdi>
        </span>
      ),
    },
    {
      key: 'period',
      header: t('period'),
      cell: ({ validFrom, validUntil }) => (
        <span className="flex flex-col">
          <span>{t('from', { day: date(validFrom) })}</span>
          <span>{validUntil ? t('until', { day: date(validUntil) }) : t('noEnd')}</span>
        </span>
      ),
    },
    {
      key: 'uses',
      header: t('uses'),
      cell: (row) =>
        row.uses === 0 ? (
          t('usesNone')
        ) : (
          <button
            type="button"
            className="link min-h-11 md:min-h-8"
            aria-label={t('usesName', { code: row.code })}
            onClick={() => open({ dialog: 'uses', code: row })}
          >
            {row.mostUses === undefined
              ? count(row.uses)
              : t('usesOfMost', { uses: count(row.uses), most: count(row.mostUses) })}
          </button>
        ),
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ state }) => <StatusTag tone={tones[state]}>{t(`states.${state}`)}</StatusTag>,
    },
    {
      key: 'action',
      header: t('action'),
      isControl: true,
      cell: (row) => (
        <span className="flex flex-wrap gap-2">
          {row.uses === 0 ? (
            <Button
              call={saveReferralCode}
              size="sm"
              variant="secondary"
              aria-label={t('editName', { code: row.code })}
              onPress={() => open({ dialog: 'edit', code: row })}
            >
              {t('change')}
            </Button>
          ) : null}
          {row.state === 'ended' ? null : (
            <Button
              call={endReferralCode}
              size="sm"
              variant="secondary"
              aria-label={t('endName', { code: row.code })}
              onPress={() => open({ dialog: 'end', code: row })}
            >
              {t('end')}
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function OpenedDialog({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  if (opened.dialog === 'add') return <CodeDialog code={undefined} onClose={onClose} />;
  const { dialog, code } = opened;
  if (dialog === 'edit') return <CodeDialog code={code} onClose={onClose} />;
  if (dialog === 'end') return <EndDialog code={code} onClose={onClose} />;
  return <UsesDialog code={code} onClose={onClose} />;
}

/** Referral codes: their periods, how often they were used and by whom. */
export function ReferralCodesTab() {
  const { t } = useTranslation('referral-codes');
  const filters = useSearchFilters('state');
  const [opened, setOpened] = useState<Opened>();
  const State = referralCodeStates.find((state) => state === filters.values.state);
  const { data, error, refetch, isRefetching, isPlaceholderData } = useCall(getReferralCodes, {
    query: { State, PageNumber: filters.page, Take: pageSize },
    keepPrevious: true,
  });
  const columns = useColumns(setOpened);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-600">{t('lead')}</p>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label={t('state')}
          value={State ?? '-'}
          onChange={(value) => filters.change({ state: value === '-' ? '' : value })}
          choices={[
            { value: '-', label: t('anyState') },
            ...referralCodeStates.map((value) => ({ value, label: t(`states.${value}`) })),
          ]}
        />
        <Button
          call={saveReferralCode}
          icon={<Plus aria-hidden size={18} />}
          onPress={() => setOpened({ dialog: 'add' })}
        >
          {t('add')}
        </Button>
      </div>
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : null}
      {!data && !error ? <SkeletonRows count={4} /> : null}
      {data?.items.length === 0 ? (
        <EmptyState title={t(State ? 'noneInState' : 'none')}>
          {t(State ? 'noneInStateText' : 'noneText')}
        </EmptyState>
      ) : null}
      {data && data.items.length > 0 ? (
        <>
          <DataTable
            caption={t('title')}
            columns={columns}
            rows={data.items}
            rowKey={({ code }) => code}
            isStale={isPlaceholderData}
          />
          <Pager
            pageNumber={filters.page}
            pageSize={pageSize}
            totalCount={data.totalCount}
            onSelect={(page) => filters.change({ page })}
          />
        </>
      ) : null}
      {opened ? <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} /> : null}
    </div>
  );
}
