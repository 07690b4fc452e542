import { useTranslation } from '#lib/i18n/translate.ts';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { MessageState } from '@diwan/contract/requests/messages';

const tones = {
  waiting: 'progress',
  paused: 'waiting',
  sent: 'done',
  failed: 'refused',
  givenUp: 'waiting',
} as const;

export function MessageStateTag({ state }: { state: MessageState }) {
  const { t } = useTranslation('messages');
  return <StatusTag tone={tones[state]}>{t(`states.${state}`)}</StatusTag>;
}
