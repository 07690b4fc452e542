import { useTranslation } from 'react-i18next';
import type { AttachmentRule } from '@diwan/contract/forms';
import { useFormat } from '../../lib/format.ts';

/** Latin abbreviations that follow each other would swap places in a line from right to left. */
export const isolate = (text: string) => `\u2068${text}\u2069`;

/** What a document may be, in a few words: its types and its size. */
export function useRuleLimits(): (rule: AttachmentRule) => string {
  const { t } = useTranslation('attachments');
  const { fileSize, list } = useFormat();
  return (rule) => t('limits', { types: list(rule.mediaTypes.map((type) => isolate(t(`types.${type.replace('/', '-')}`)))), size: fileSize(rule.maximumBytes), count: rule.maximumCount });
}
