import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { Card } from '../../../ui/data/card.tsx';
import { BeforeAfter } from '../mending/before-after.tsx';
import { ChangedNotice } from './changed-notice.tsx';
import { DocumentDesk } from '../documents/document-desk.tsx';
import { DueLine } from './due-line.tsx';
import { useMarkViewed } from '../documents/documents.data.ts';
import { useActionDrafts } from './kept-action-drafts.ts';
import { MarkingProvider } from '../mending/mark-flag.tsx';
import { PrintButton } from '../record/print-button.tsx';
import { PrintFrame } from '../record/print-frame.tsx';
import { ProviderDocuments } from '../documents/provider-documents.tsx';
import { RequestAnswers } from '../record/request-answers.tsx';
import { RequestHeader } from '../record/request-header.tsx';
import { RequestMoney } from '../record/request-money.tsx';
import { RequestStory } from '../record/request-story.tsx';
import { RefundRecorder } from './refund-recorder.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { SplitView } from './split-view.tsx';
import { StaffActions } from './staff-actions.tsx';
import { StaffStanding } from './staff-standing.tsx';

interface StaffRequestProps {
  record: RequestRecord;
  list: string;
  /** What was sent to the applicant. */
  messages: ReactNode;
  reload: () => Promise<RequestRecord | undefined>;
}

/**
 * A request as the people who work on it see it: answers and the open document side by side,
 * actions at the bottom edge.
 */
export function StaffRequest({ record, list, messages, reload }: StaffRequestProps) {
  const { t } = useTranslation('requests');
  const markViewed = useMarkViewed();
  const isAdmin = hasRole(useSession(), 'Admin');
  const kept = useActionDrafts(record.requestId);
  return (
    <>
      <PrintFrame
        title={record.serviceName}
        requestNumber={record.requestNumber}
        address={record.requestLink}
      >
        <div className="page 2xl:max-w-[100rem]! pb-10">
          <RequestHeader
            record={record}
            list={list}
            listName={t('staff.title')}
            note={<DueLine request={record} />}
            action={
              <span className="flex max-md:hidden">
                <ShortcutList page="request" />
                <PrintButton />
              </span>
            }
          />
          <ChangedNotice record={record} />
          <StaffStanding record={record} />
          <MarkingProvider
            record={record}
            draft={kept.drafts.return}
            onDraft={(changed) => kept.change('return', changed)}
          >
            <SplitView
              start={
                <div className="flex flex-col gap-6">
                  <BeforeAfter record={record} reload={reload} onViewed={markViewed} />
                  <Card title={t('staff.answers')}>
                    <RequestAnswers record={record} />
                  </Card>
                </div>
              }
              after={
                <div className="flex flex-col gap-6">
                  <Card title={t('record.story')}>
                    <RequestStory history={record.history} />
                  </Card>
                  <ProviderDocuments record={record} isStaff />
                  {messages}
                  <Card title={t('record.money')}>
                    <RequestMoney
                      record={record}
                      forStaff={
                        isAdmin && record.refund ? (
                          <RefundRecorder
                            requestId={record.requestId}
                            refund={record.refund}
                            reload={reload}
                          />
                        ) : null
                      }
                    />
                  </Card>
                </div>
              }
              end={
                <DocumentDesk
                  documents={record.attachments.filter(({ isResult }) => !isResult)}
                  results={record.attachments.filter(({ isResult }) => isResult)}
                  reload={reload}
                  onViewed={markViewed}
                />
              }
            />
          </MarkingProvider>
        </div>
      </PrintFrame>
      <StaffActions record={record} list={list} kept={kept} reload={reload} />
    </>
  );
}
