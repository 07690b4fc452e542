import { messageOf } from '#lib/api/handle-error.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useFileTexts } from '#lib/uploads/file-texts.ts';
import type { InspectedPicture } from '#lib/uploads/inspect-picture.ts';
import { isFinalRefusal } from '#lib/uploads/resume.ts';
import { FileDrop } from '#ui/files/file-drop.tsx';
import type { FileItem } from '#ui/files/file-row.tsx';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { ScanState } from '@diwan/contract/wire/uploads';
import type { UploadedDocument } from './uploaded-documents.ts';
import {
  useLoadedPictures,
  type DocumentUploadsState,
  type PendingDocument,
} from './use-document-uploads.ts';

interface DocumentUploadsProps {
  rules: readonly AttachmentRule[];
  uploads: DocumentUploadsState;
  /** The errors by name of the rule. */
  errors?: Readonly<Record<string, string | undefined>>;
}

/** One upload field for each attachment rule. */
export function DocumentUploads({ rules, uploads, errors = {} }: DocumentUploadsProps) {
  const { language } = useLanguage();
  const fileTexts = useFileTexts();
  const pendingItem = usePendingItem();
  const uploadedItem = useUploadedItem();
  useLoadedPictures(
    uploads.loadPictures,
    uploads.documents.filter(({ name }) => rules.some((rule) => rule.name === name)),
  );
  return (
    <div className="flex flex-col gap-8">
      {rules.map((rule) => {
        const uploaded = uploads.documents
          .filter((each) => each.name === rule.name)
          .map((each) =>
            uploadedItem(
              each,
              uploads.scanOf(each.attachmentId),
              uploads.pictureOf(each.attachmentId),
            ),
          );
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
        // Failed files do not count against the maximum.
        const room =
          rule.maximumCount +
          others.filter((each) => each.state === 'failed').length +
          uploaded.filter((each) => each.state === 'failed').length +
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
                <span className="block">{fileTexts.limits(rule)}</span>
              </>
            }
            accept={rule.mediaTypes}
            maximumCount={room}
            files={[...uploaded, ...unfinished, ...others]}
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

function useUploadedItem(): (
  document: UploadedDocument,
  scan: ScanState | undefined,
  picture: InspectedPicture | undefined,
) => FileItem {
  const { t } = useTranslation('errors');
  const { t: attachments } = useTranslation('attachments');
  return ({ attachmentId, fileName, size }, scan, picture) => {
    const [concern] = picture?.concerns ?? [];
    const item = { id: attachmentId, name: fileName, size, progress: 1 };
    return scan === 'infected'
      ? { ...item, state: 'failed', isFinal: true, error: t('refusals.AttachmentInfected') }
      : {
          ...item,
          state: 'done',
          scan,
          preview: picture?.preview,
          hint: concern && attachments(`readable.${concern}`),
        };
  };
}

function usePendingItem(): (pending: PendingDocument, rule: AttachmentRule) => FileItem {
  const fileTexts = useFileTexts();
  return ({ id, file, progress, stage, refusal, error }, rule) => {
    const item = { id, name: file.name, size: file.size, progress };
    if (refusal === undefined && error === undefined) return { ...item, state: stage };
    return {
      ...item,
      state: 'failed',
      isFinal: refusal !== undefined || isFinalRefusal(error),
      error: refusal ? fileTexts.refusal(refusal, file, rule) : messageOf(error),
    };
  };
}
