import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests';
import { Card } from '../../ui/card.tsx';
import { useMarkViewed } from './documents.data.ts';
import { RequestAnswers } from './request-answers.tsx';
import { RequestDocuments } from './request-documents.tsx';
import { RequestHeader } from './request-header.tsx';
import { RequestMoney } from './request-money.tsx';
import { RequestStory } from './request-story.tsx';
import { StaffActions } from './staff-actions.tsx';
import { StaffStanding } from './staff-standing.tsx';

interface StaffRequestProps {
  record: RequestRecord;
  list: string;
  reload: () => Promise<RequestRecord | undefined>;
}

/** A request as the people who work on it see it: answers and documents side by side, actions at the bottom edge. Documents stay in sight while the rest is read. */
export function StaffRequest({ record, list, reload }: StaffRequestProps) {
  const { t } = useTranslation('requests');
  const markViewed = useMarkViewed();
  const results = record.attachments.filter((attachment) => attachment.isResult);
  const documents = record.attachments.filter((attachment) => !attachment.isResult);
  const viewed = documents.filter((attachment) => attachment.isViewed).length;
  const viewedCount = documents.length > 0 ? <span className="text-sm text-ink-500">{t('documents.viewedCount', { viewed, total: documents.length })}</span> : null;
  return (
    <>
      <div className="page pb-10">
        <RequestHeader record={record} list={list} listName={t('staff.title')} />
        <StaffStanding record={record} />
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:items-start">
          <Card title={t('staff.answers')}><RequestAnswers record={record} /></Card>
          <div className="flex flex-col gap-6 lg:sticky lg:top-4 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:max-h-[calc(100dvh-120px)] lg:overflow-y-auto print:max-h-none">
            <Card title={t('staff.documents')} action={viewedCount}>
              {documents.length > 0 ? <RequestDocuments attachments={documents} reload={reload} onViewed={markViewed} /> : <p className="text-ink-600">{t('record.noDocuments')}</p>}
            </Card>
            {results.length > 0 ? <Card title={t('dialogs.resultDocuments')}><RequestDocuments attachments={results} reload={reload} /></Card> : null}
          </div>
          <div className="flex flex-col gap-6 lg:col-start-1">
            <Card title={t('record.story')}><RequestStory history={record.history} /></Card>
            <Card title={t('record.money')}><RequestMoney record={record} /></Card>
          </div>
        </div>
      </div>
      <StaffActions record={record} reload={reload} />
    </>
  );
}
