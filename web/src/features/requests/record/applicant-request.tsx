import { Printer } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { MendForm } from '../mending/mend-form.tsx';
import { PrintFrame } from './print-frame.tsx';
import { ProviderDocuments } from '../documents/provider-documents.tsx';
import { RequestAnswers } from './request-answers.tsx';
import { RequestDocuments } from './request-documents.tsx';
import { RequestHeader } from './request-header.tsx';
import { RequestMoney } from './request-money.tsx';
import { lastWord, RequestNow } from './request-now.tsx';
import { RequestStory } from './request-story.tsx';

interface ApplicantRequestProps {
  record: RequestRecord;
  list: string;
  /** What was sent to the applicant. */
  messages: ReactNode;
  /** Who of the staff has looked. */
  reads: ReactNode;
  reload: () => Promise<unknown>;
}

/** A request as the person who sent it sees it. */
export function ApplicantRequest({ record, list, messages, reads, reload }: ApplicantRequestProps) {
  const { t } = useTranslation('requests');
  const isCompany = hasRole(useSession(), 'CompanyUser');
  const [isMending, setIsMending] = useState(false);
  const now = useRef<HTMLDivElement>(null);
  const closeMend = () => {
    setIsMending(false);
    // What the focus was on is gone; it goes to what stands there now.
    window.requestAnimationFrame(() => now.current?.focus());
  };
  const results = record.attachments.filter((attachment) => attachment.isResult);
  const documents = record.attachments.filter((attachment) => !attachment.isResult);
  // What it was all for comes first.
  const isDone = record.statusTone === 'done';
  const resultCard =
    results.length > 0 ? (
      <Card title={t('record.results')}>
        <p className="mb-4 text-ink-600">{t('record.resultsText')}</p>
        <RequestDocuments attachments={results} reload={reload} />
      </Card>
    ) : null;
  const again = (
    <LinkButton
      variant="secondary"
      to={`/requests/Create/${encodeURIComponent(record.replacedName)}`}
    >
      {t('record.again')}
    </LinkButton>
  );
  const printButton = (
    <span data-no-print className="-me-5 max-md:hidden">
      <Button
        variant="quiet"
        icon={<Printer aria-hidden size={18} />}
        onPress={() => window.print()}
      >
        {t('record.print')}
      </Button>
    </span>
  );

  return (
    <PrintFrame
      title={record.serviceName}
      requestNumber={record.requestNumber}
      address={record.requestLink}
    >
      <div className="page pb-16">
        <RequestHeader
          record={record}
          list={list}
          listName={t(isCompany ? 'mine.companyTitle' : 'mine.title')}
          action={printButton}
        />
        {isMending ? (
          <MendForm record={record} reload={reload} onClose={closeMend} />
        ) : (
          <div className="grid grid-cols-1 gap-6 print:block lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:items-start">
            <div className="flex flex-col gap-6 print:block">
              {isDone ? resultCard : null}
              <div ref={now} tabIndex={-1} className="rounded-lg outline-none">
                <RequestNow record={record} onMend={() => setIsMending(true)} />
              </div>
              {isDone ? null : resultCard}
            </div>
            {/* On a phone the way to what happened is not lengthened by what costs nothing. */}
            <div
              className={`flex flex-col gap-6 print:block lg:col-start-2 lg:row-span-2 lg:row-start-1 ${record.fees.total === 0 ? 'not-print:max-lg:hidden' : ''}`}
            >
              <Card title={t('record.money')}>
                <RequestMoney record={record} />
              </Card>
              <div data-no-print className="hidden flex-col lg:flex">
                {again}
              </div>
            </div>
            <div className="flex flex-col gap-6 print:block">
              <Card title={t('record.story')}>
                <RequestStory
                  isOwn
                  history={record.history}
                  isLastWordShown={lastWord(record) !== undefined}
                />
              </Card>
              {messages}
              <Card title={t('record.answers')}>
                <RequestAnswers record={record} />
              </Card>
              <Card title={t('record.documents')}>
                {documents.length > 0 ? (
                  <RequestDocuments attachments={documents} reload={reload} />
                ) : (
                  <p className="text-ink-600">{t('record.noDocuments')}</p>
                )}
              </Card>
              <ProviderDocuments record={record} />
              {reads}
              <div data-no-print className="flex flex-col gap-3 lg:hidden">
                {again}
                <span className="flex flex-col md:hidden">
                  <Button
                    variant="quiet"
                    icon={<Printer aria-hidden size={18} />}
                    onPress={() => window.print()}
                  >
                    {t('record.print')}
                  </Button>
                </span>
              </div>
            </div>
          </div>
        )}
      </div>
    </PrintFrame>
  );
}
