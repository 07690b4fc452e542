import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentSession, useSession } from '#lib/api/session.ts';
import { refreshTokenOnce } from '#lib/api/token-refresh.ts';
import { useCall, useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Card } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert, type AlertTone } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SupportLine } from '#ui/values/support-contact.tsx';
import {
  getOwnPartnerRecord,
  resubmitPartner,
  type PartnerRecord,
} from '@diwan/contract/people/partner-registration';
import { PartnerDocumentList } from './partner-document-list.tsx';
import { bodyOf, valuesOf } from './provider-form-values.ts';
import { ProviderForm } from './provider-form.tsx';
import { ProviderState } from './provider-state.tsx';
import { ProviderReasons, ProviderTimeline } from './provider-timeline.tsx';
import { WorkingProfilePage } from './working-profile-page.tsx';

const tones: Record<string, AlertTone> = {
  needsDocuments: 'warning',
  refused: 'danger',
  suspended: 'danger',
};

function CorrectionForm({ record, reload }: { record: PartnerRecord; reload: () => unknown }) {
  const { t } = useTranslation('partners');
  const client = useQueryClient();
  const resubmit = useAction(resubmitPartner, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      client.setQueriesData<PartnerRecord>({ queryKey: [getOwnPartnerRecord.name] }, () => fresh);
      showToast(t('correct.done'), 'success');
    },
  });
  return (
    <section className="max-w-form">
      <h2 className="pb-6 text-xl">{t('correct.title')}</h2>
      <ProviderForm
        initial={valuesOf(record)}
        hasDocuments
        submitLabel={t('correct.send')}
        isPending={resubmit.isPending}
        error={resubmit.error}
        onClearError={resubmit.reset}
        onSubmit={(values, documentIds) =>
          resubmit.mutate(
            { body: { ...bodyOf(values), documentIds, version: record.version } },
            {
              onError: ({ name }) => {
                if (name === 'ProviderHasChanged' || name === 'ProviderActionNotAllowed') reload();
              },
            },
          )
        }
      />
    </section>
  );
}

/**
 * A provider that cannot work: its state, the reason and the next step. Source: specification §4.
 */
function ProviderStatus({ record, reload }: { record: PartnerRecord; reload: () => unknown }) {
  const { t } = useTranslation('partners');
  // The reason is in the last step.
  const last = record.history.at(-1);
  return (
    <div className="page pb-16">
      <PageHeader title={t('profile.title')} lead={<bdi>{record.name}</bdi>} />
      <div className="flex flex-col gap-8">
        <div className="max-w-form">
          <Alert tone={tones[record.state] ?? 'info'} title={t(`standing.${record.state}.title`)}>
            {last ? (
              <div className="py-1">
                <ProviderReasons step={last} />
              </div>
            ) : null}
            <p>{t(`standing.${record.state}.text`)}</p>
            {record.state === 'refused' || record.state === 'suspended' ? (
              <SupportLine text={t(`standing.${record.state}.support`)} />
            ) : null}
          </Alert>
        </div>
        {record.allowedActions.includes('resubmit') ? (
          <CorrectionForm record={record} reload={reload} />
        ) : null}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Card title={t('documents.title')}>
            <PartnerDocumentList documents={record.documents} reload={reload} />
          </Card>
          <Card title={t('story.title')} action={<ProviderState state={record.state} />}>
            <ProviderTimeline history={record.history} />
          </Card>
        </div>
      </div>
    </div>
  );
}

/**
 * A token from before a change of the provider's state contains the wrong permissions, so it is
 * renewed.
 */
function useTokenMatchingState(isWorking: boolean | undefined): void {
  const restriction = useSession()?.restriction;
  const isStopped = restriction === 'inactive' || restriction === 'suspended';
  useEffect(() => {
    const session = currentSession();
    if (session && isWorking !== undefined && isWorking === isStopped)
      void refreshTokenOnce(session.token).catch(() => null);
  }, [isWorking, isStopped]);
}

/** The page of a service provider: its work, or the reason why it cannot work. */
export function PartnerProfilePage() {
  const { t } = useTranslation('partners');
  const record = useCall(getOwnPartnerRecord, { staleTime: 0 });
  // A supervisor without a partner has no restriction.
  const isWorking = record.data
    ? record.data.state === 'active'
    : record.error?.status === 404
      ? true
      : undefined;
  useTokenMatchingState(isWorking);
  usePageTitle(t('profile.title'));
  if (isWorking) return <WorkingProfilePage />;
  if (record.data) return <ProviderStatus record={record.data} reload={record.refetch} />;
  return (
    <div className="page pb-16">
      <PageHeader title={t('profile.title')} />
      {record.error ? (
        <ErrorState
          error={record.error}
          onRetry={record.refetch}
          isRetrying={record.isRefetching}
        />
      ) : (
        <SkeletonRows count={4} />
      )}
    </div>
  );
}
