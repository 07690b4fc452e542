import { isolate, useFormat } from '../i18n/format.ts';
import { useTranslation } from '../i18n/translate.ts';
import { mediaTypeOf, type FileLimits, type FileRefusal } from './select-file.ts';

/** Texts for the limits of a document and for files that are not sent. */
export function useFileTexts() {
  const { t } = useTranslation('attachments');
  const { fileSize, list } = useFormat();
  const typeText = (type: string) => isolate(t(`types.${type.replace('/', '-')}`));
  const typesOf = ({ mediaTypes }: FileLimits) => list(mediaTypes.map(typeText));
  return {
    limits: (rule: FileLimits & { maximumCount: number }) =>
      t('limits', {
        types: typesOf(rule),
        size: fileSize(rule.maximumBytes),
        count: rule.maximumCount,
      }),
    refusal: (refusal: FileRefusal, file: File, limits: FileLimits) =>
      t(`refused.${refusal}`, {
        size: fileSize(file.size),
        maximum: fileSize(limits.maximumBytes),
        types: typesOf(limits),
        ...(refusal === 'otherType' ? { actual: typeText(mediaTypeOf(file)) } : {}),
      }),
  };
}
