import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import type { Closure } from '@diwan/contract/catalogue/closures';

/** Why a service takes no new requests, and when it opens; nothing while it is open. */
export function ServiceClosed({
  closure,
  isLive = false,
}: {
  closure: Closure | undefined;
  /** It may appear after the page has loaded. */
  isLive?: boolean;
}) {
  const { t } = useTranslation('forms');
  const { dateTime } = useFormat();
  if (!closure) return null;
  return (
    <div data-focus-id="ServiceClosed" tabIndex={-1}>
      <Alert
        tone="warning"
        isLive={isLive}
        title={
          closure.until ? t('closed.until', { at: dateTime(closure.until) }) : t('closed.title')
        }
      >
        <p className="whitespace-pre-line">{closure.reason}</p>
        <p>{t('closed.drafts')}</p>
      </Alert>
    </div>
  );
}
