import { useTranslation } from 'react-i18next';
import type { ScanState } from '@diwan/contract/requests/attachments';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { useFileWords } from '../../../lib/uploads/file-words.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { isFinalRefusal } from '../../../lib/uploads/send-remembered.ts';
import { FileDrop } from '../../../ui/files/file-drop.tsx';
import type { FileItem } from '../../../ui/files/file-row.tsx';
import type { DocumentUploads as Uploads, PendingDocument } from './document-uploads-state.ts';
import type { UploadedDocument } from '../drafts/draft.ts';

interface DocumentUploadsProps {
  rules: readonly AttachmentRule[];
  uploads: Uploads;
  /** What is wrong with a document as a whole, by the name of its rule. */
  errors?: Readonly<Record<string, string | undefined>>;
}

/** One place for each document that the service asks for. */
export function DocumentUploads({ rules, uploads, errors = {} }: DocumentUploadsProps) {
  const { language } = useLanguage();
  const words = useFileWords();
  const pendingItem = usePendingItem();
  const arrivedItem = useArrivedItem();
  return (
    <div className="flex flex-col gap-8">
      {rules.map((rule) => {
        const arrived = uploads.documents
          .filter((each) => each.name === rule.name)
          .map((each) => arrivedItem(each, uploads.scanOf(each.attachmentId)));
        const unfinished = uploads.unfinished
          .filter((each) => each.name === rule.name)
          .map((each): FileItem => ({
            id: each.id,
            name: each.fileName,
            size: each.size,
            state: 'unfinished',
            progress: 0,
          }));
        const others = uploads.pending
          .filter((each) => each.name === rule.name)
          .map((each) => pendingItem(each, rule));
        // A file that was refused leaves its place free for another one.
        const room =
          rule.maximumCount +
          others.filter((each) => each.state === 'failed').length +
          arrived.filter((each) => each.state === 'failed').length +
          unfinished.length;
        return (
          <FileDrop
            key={rule.name}
            name={rule.name}
            focusIds={[`attachments.${rule.name}`]}
            label={rule.title[language]}
            isOptional={!rule.required}
            error={errors[rule.name]}
            description={
              <>
                {rule.description ? (
                  <span className="block">{rule.description[language]}</span>
                ) : null}
                <span className="block">{words.limits(rule)}</span>
              </>
            }
            accept={rule.mediaTypes}
            maximumCount={room}
            files={[...arrived, ...unfinished, ...others]}
            onAdd={(files) => uploads.add(rule, files)}
            onCancel={uploads.remove}
            onRemove={uploads.remove}
            onRetry={uploads.retry}
          />
        );
      })}
    </div>
  );
}

function useArrivedItem(): (document: UploadedDocument, scan: ScanState | undefined) => FileItem {
  const { t } = useTranslation('errors');
  return ({ attachmentId, fileName, size }, scan) => {
    const item = { id: attachmentId, name: fileName, size, progress: 1 };
    return scan === 'infected'
      ? { ...item, state: 'failed', isFinal: true, error: t('refusals.AttachmentInfected') }
      : { ...item, state: 'done', scan };
  };
}

function usePendingItem(): (pending: PendingDocument, rule: AttachmentRule) => FileItem {
  const words = useFileWords();
  return ({ id, file, progress, stage, refusal, error }, rule) => {
    const item = { id, name: file.name, size: file.size, progress };
    if (refusal === undefined && error === undefined) return { ...item, state: stage };
    return {
      ...item,
      state: 'failed',
      isFinal: refusal !== undefined || isFinalRefusal(error),
      error: refusal ? words.refusal(refusal, file.size, rule) : messageOf(error),
    };
  };
}
