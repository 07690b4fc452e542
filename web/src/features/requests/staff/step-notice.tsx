import { useTranslation } from 'react-i18next';
import type { HistoryEntry } from '@diwan/contract/requests/requests';

/**
 * How the applicant was told of a step: by which ways, and whether each has arrived at its gateway.
 * Says nothing of steps that are told to nobody.
 */
export function StepNotice({ entry: { notice } }: { entry: HistoryEntry }) {
  const { t } = useTranslation(['messages', 'shell']);
  if (!notice) return null;
  if (notice.outcome !== 'sent')
    return <span className="block">{t(`notice.${notice.outcome}`)}</span>;
  // Of old steps the messages are gone.
  if (notice.messages.length === 0) return null;
  const ways = [
    ...new Set(
      notice.messages.map(
        ({ channel, state }) => `${t(`channels.${channel}`)} (${t(`states.${state}`)})`,
      ),
    ),
  ];
  return (
    <span className="block">
      {t('notice.sent')} {ways.join(t('shell:listSeparator'))}
    </span>
  );
}
