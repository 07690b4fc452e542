import { useTranslation } from 'react-i18next';
import type { FileLimits, FileRefusal } from './chosen-file.ts';
import { useFormat } from '../i18n/format.ts';

// Latin abbreviations that follow each other would swap places in a line from right to left.
const isolate = (text: string) => `\u2068${text}\u2069`;

/** What a document may be, and why a file is not even sent, in words. */
export function useFileWords() {
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
