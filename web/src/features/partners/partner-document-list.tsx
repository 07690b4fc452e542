import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { sendForFile } from '#lib/api/send.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import { Moment } from '#ui/values/moment.tsx';
import {
  downloadPartnerDocument,
  type PartnerDocument,
} from '@diwan/contract/people/partner-registration';

async function save({ filePath, fileName }: PartnerDocument): Promise<void> {
  saveContent(await sendForFile(downloadPartnerDocument, { query: { filePath } }), fileName);
}

function DocumentRow({ document, reload }: { document: PartnerDocument; reload: () => unknown }) {
  const { t } = useTranslation('partners');
  const { fileSize } = useFormat();
  const [failure, setFailure] = useState<string>();
  const title = t(`documents.${document.name}`);
  const open = () =>
    save(document).then(
      () => setFailure(undefined),
      (error: unknown) => {
        setFailure(messageOf(error));
        // The download reference may have expired; the next attempt needs a new one.
        reload();
      },
    );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <FileText aria-hidden size={24} className="shrink-0 text-ink-500" />
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold">
          <span>{title}</span>
          {document.isCurrent ? null : (
            <span className="font-normal text-ink-500"> {t('documents.replaced')}</span>
          )}
        </p>
        <p className="text-sm wrap-anywhere text-ink-600">
          <FileName name={document.fileName} /> · <bdi>{fileSize(document.size)}</bdi> ·{' '}
          <span className="whitespace-nowrap">
            <Moment at={document.uploadedAt} as="date" />
          </span>
        </p>
        <p role="status" className="text-sm text-red-700 empty:hidden">
          {failure ?? ''}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        icon={<Download aria-hidden size={18} />}
        aria-label={`${t('documents.save')}: ${title} ${document.fileName}`}
        onPress={open}
      >
        {t('documents.save')}
      </Button>
    </li>
  );
}

/** The documents of a provider, current ones first; replaced ones can still be downloaded. */
export function PartnerDocumentList({
  documents,
  reload,
}: {
  documents: readonly PartnerDocument[];
  reload: () => unknown;
}) {
  const { t } = useTranslation('partners');
  if (documents.length === 0) return <p className="text-ink-600">{t('documents.none')}</p>;
  const ordered = documents.toSorted(
    (one, other) => Number(other.isCurrent) - Number(one.isCurrent),
  );
  return (
    <ul className="divide-y divide-ink-100">
      {ordered.map((document) => (
        <DocumentRow key={document.documentId} document={document} reload={reload} />
      ))}
    </ul>
  );
}
