import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import type { Closure } from '@diwan/contract/catalogue/closures';

/** Why a service takes no new requests, and when it opens; nothing while it is open. */
export function ServiceClosed({ closure }: { closure: Closure | undefined }) {
  const { t } = useTranslation('forms');
  const { dateTime } = useFormat();
  if (!closure) return null;
  return (
    <Alert
      tone="warning"
      title={closure.until ? t('closed.until', { at: dateTime(closure.until) }) : t('closed.title')}
    >
      <p className="whitespace-pre-line">{closure.reason}</p>
      <p>{t('closed.drafts')}</p>
    </Alert>
  );
}
