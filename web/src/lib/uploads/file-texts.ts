import { useFormat } from '../i18n/format.ts';
import { useTranslation } from '../i18n/translate.ts';
import type { FileLimits, FileRefusal } from './select-file.ts';

// Without isolation, Latin abbreviations in a right-to-left line would swap places.
const isolate = (text: string) => `\u2068${text}\u2069`;

/** Texts for the limits of a document and for files that are not sent. */
export function useFileTexts() {
  const { t } = useTranslation('attachments');
  const { fileSize, list } = useFormat();
  const typesOf = ({ mediaTypes }: FileLimits) =>
    list(mediaTypes.map((type) => isolate(t(`types.${type.replace('/', '-')}`))));
  return {
    limits: (rule: FileLimits & { maximumCount: number }) =>
      t('limits', {
        types: typesOf(rule),
        size: fileSize(rule.maximumBytes),
        count: rule.maximumCount,
      }),
    refusal: (refusal: FileRefusal, size: number, limits: FileLimits) =>
      t(`refused.${refusal}`, {
        size: fileSize(size),
        maximum: fileSize(limits.maximumBytes),
        types: typesOf(limits),
      }),
  };
}
