import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import {
  getOwnPartnerRecord,
  resubmitPartner,
  type PartnerRecord,
} from '@diwan/contract/people/partner-registration';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Card } from '../../ui/data/card.tsx';
import { Notice, type NoticeTone } from '../../ui/feedback/notice.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { ProviderForm } from './provider-form.tsx';
import { bodyOf, valuesOf } from './provider-form-values.ts';
import { ProviderPapers } from './provider-papers.tsx';
import { ProviderState } from './provider-state.tsx';
import { ProviderReasons, ProviderStory } from './provider-story.tsx';

const tones: Record<string, NoticeTone> = {
  needsDocuments: 'warning',
  refused: 'danger',
  suspended: 'danger',
};

function MendForm({ record, reload }: { record: PartnerRecord; reload: () => unknown }) {
  const { t } = useTranslation('partners');
  const client = useQueryClient();
  const mend = useAction(resubmitPartner, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      client.setQueriesData<PartnerRecord>({ queryKey: [getOwnPartnerRecord.name] }, () => fresh);
      showToast(t('mend.done'), 'success');
    },
  });
  return (
    <section className="max-w-form">
      <h2 className="pb-6 text-xl">{t('mend.title')}</h2>
      <ProviderForm
        initial={valuesOf(record)}
        hasDocuments
        submitLabel={t('mend.send')}
        isPending={mend.isPending}
        error={mend.error}
        onForget={mend.reset}
        onSubmit={(values, documentIds) =>
          mend.mutate(
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

/** A provider that cannot work now: its state, why, and what to do. Source: specification §4. */
export function ProviderStanding({
  record,
  reload,
}: {
  record: PartnerRecord;
  reload: () => unknown;
}) {
  const { t } = useTranslation('partners');
  // Why it is so: the step that led here.
  const last = record.history.at(-1);
  return (
    <div className="page pb-16">
      <PageHeader title={t('profile.title')} lead={<bdi>{record.name}</bdi>} />
      <div className="flex flex-col gap-8">
        <div className="max-w-form">
          <Notice tone={tones[record.state] ?? 'info'} title={t(`standing.${record.state}.title`)}>
            {last ? (
              <div className="py-1">
                <ProviderReasons step={last} />
              </div>
            ) : null}
            <p>{t(`standing.${record.state}.text`)}</p>
          </Notice>
        </div>
        {record.allowedActions.includes('resubmit') ? (
          <MendForm record={record} reload={reload} />
        ) : null}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Card title={t('documents.title')}>
            <ProviderPapers papers={record.documents} reload={reload} />
          </Card>
          <Card title={t('story.title')} action={<ProviderState state={record.state} />}>
            <ProviderStory history={record.history} />
          </Card>
        </div>
      </div>
    </div>
  );
}
