import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/actions/copy-button.tsx';

/** The number as large as it is important, and a way to take it along. */
export function AcceptedRequestNumber({ requestNumber }: { requestNumber: string }) {
  const { t } = useTranslation('payments');
  return (
    <div>
      <p className="text-ink-600">{t('accepted.number')}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <bdi
          dir="ltr"
          data-request-number
          className="text-xl font-semibold whitespace-nowrap text-ink-900 tabular-nums select-all md:text-3xl"
        >
          {requestNumber}
        </bdi>
        <span data-no-print>
          <CopyButton
            text={requestNumber}
            label={t('accepted.copy')}
            copiedLabel={t('accepted.copied')}
          />
        </span>
      </div>
    </div>
  );
}
