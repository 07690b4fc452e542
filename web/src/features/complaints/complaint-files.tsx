import { Download } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { sendForFile } from '#lib/api/send.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import {
  downloadComplaintDocument,
  type ComplaintDocument,
} from '@diwan/contract/content/complaint-documents';

/** What a visitor proves that a complaint is theirs with; who is signed in needs nothing. */
export interface Proof {
  reference: string;
  email: string;
}

function FileLine({ document, proof }: { document: ComplaintDocument; proof: Proof | undefined }) {
  const { t } = useTranslation('complaints');
  const { fileSize } = useFormat();
  const [failure, setFailure] = useState('');
  const { documentId, fileName, size } = document;
  const save = () =>
    sendForFile(downloadComplaintDocument, {
      body: { documentId, ...proof },
      skipErrorHandling: true,
    }).then(
      (content) => {
        setFailure('');
        saveContent(content, fileName);
      },
      (error: unknown) => setFailure(messageOf(error)),
    );
  return (
    <li className="flex flex-col items-start gap-1">
      <span className="wrap-anywhere">
        <FileName name={fileName} /> · <bdi>{fileSize(size)}</bdi>
      </span>
      <Button
        variant="secondary"
        size="sm"
        icon={<Download aria-hidden size={18} />}
        aria-label={`${t('files.save')}: ${fileName}`}
        onPress={save}
      >
        {t('files.save')}
      </Button>
      <span role="status" className="text-sm text-red-700 empty:hidden">
        {failure}
      </span>
    </li>
  );
}

/** The files of a complaint or of an answer; nothing where there are none. */
export function ComplaintFiles({
  documents,
  proof,
}: {
  documents: readonly ComplaintDocument[];
  proof?: Proof | undefined;
}) {
  if (documents.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-col gap-3">
      {documents.map((document) => (
        <FileLine key={document.documentId} document={document} proof={proof} />
      ))}
    </ul>
  );
}
