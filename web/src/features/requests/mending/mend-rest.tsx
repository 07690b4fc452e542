import { ChevronDown, PencilLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { Button } from '../../../ui/actions/button.tsx';
import { DocumentList } from '../documents/document-uploads-list.tsx';
import type { UploadedDocument } from '../drafts/draft.ts';
import { RequestAnswers } from '../record/request-answers.tsx';

/** All that nobody asked to change: folded, to be read, and open to be changed all the same. */
export function MendRest({
  record,
  documents,
  onOpen,
}: {
  record: RequestRecord;
  documents: readonly UploadedDocument[];
  onOpen: () => void;
}) {
  const { t } = useTranslation(['returns', 'requests']);
  return (
    <div className="flex flex-col gap-3">
      <details className="group rounded-lg border border-ink-200 bg-white">
        <summary className="flex min-h-12 cursor-pointer items-center justify-between gap-3 px-4 py-3 font-medium md:px-6">
          {t('mend.rest')}
          <ChevronDown
            aria-hidden
            size={20}
            className="shrink-0 text-ink-500 group-open:rotate-180"
          />
        </summary>
        <div className="flex flex-col gap-6 border-t border-ink-100 p-4 md:p-6">
          <RequestAnswers record={record} />
          {record.attachmentRules.length > 0 ? (
            <section aria-label={t('requests:record.documents')}>
              <h3 className="mb-3 border-b border-ink-200 pb-2 text-base">
                {t('requests:record.documents')}
              </h3>
              <DocumentList rules={record.attachmentRules} documents={documents} />
            </section>
          ) : null}
        </div>
      </details>
      <div>
        <Button variant="quiet" icon={<PencilLine aria-hidden size={18} />} onPress={onOpen}>
          {t('mend.openRest')}
        </Button>
      </div>
    </div>
  );
}
