import { FileText } from 'lucide-react';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import type { UploadedDocument } from './uploaded-documents.ts';

/** The uploaded documents by attachment rule. */
export function UploadedDocumentList({
  rules,
  documents,
  previewOf,
}: {
  rules: readonly AttachmentRule[];
  documents: readonly UploadedDocument[];
  /** The address of a small picture, where there is one. */
  previewOf?: (attachmentId: string) => string | undefined;
}) {
  const { t } = useTranslation('attachments');
  const { language } = useLanguage();
  const { fileSize } = useFormat();
  const items = rules.map((rule) => {
    const sent = documents.filter((each) => each.name === rule.name);
    const value =
      sent.length === 0 ? (
        <span className="text-ink-500">{t('none')}</span>
      ) : (
        <ul className="flex flex-col gap-1">
          {sent.map((each) => (
            <li key={each.attachmentId} className="flex items-start gap-2">
              <FileMark preview={previewOf?.(each.attachmentId)} />
              <span className="min-w-0 wrap-anywhere">
                <FileName name={each.fileName} />{' '}
                <span className="text-sm text-ink-500">
                  (<span>{fileSize(each.size)}</span>)
                </span>
              </span>
            </li>
          ))}
        </ul>
      );
    return { label: rule.title[language], value };
  });
  return <KeyValueList items={items} />;
}

function FileMark({ preview }: { preview: string | undefined }) {
  if (preview === undefined)
    return (
      <span className="flex h-[1lh] items-center">
        <FileText aria-hidden size={18} className="shrink-0 text-ink-500" />
      </span>
    );
  return (
    // The name beside it says what it is.
    <img
      src={preview}
      alt=""
      className="size-14 shrink-0 rounded-sm border border-ink-200 object-cover"
    />
  );
}
