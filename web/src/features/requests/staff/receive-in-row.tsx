import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { useSettled } from '../../../lib/browser/use-settled.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { usePlainActions } from '../data/request-actions.data.ts';

interface ReceiveInRowProps {
  request: RequestSummary;
  isReceived: boolean;
  onReceived: (request: RequestSummary) => void;
  onPutBack: (request: RequestSummary) => void;
}

/**
 * Receives without leaving the list, and puts back what was received by mistake; the result stands
 * where the button was. It lies above the row's own link.
 */
export function ReceiveInRow({ request, isReceived, onReceived, onPutBack }: ReceiveInRowProps) {
  const { t } = useTranslation(['requests', 'errors', 'staff']);
  const { run, pending, error } = usePlainActions(request);
  const isSettled = useSettled(String(isReceived));
  if (request.isOwnCounterRequest)
    return (
      <span className="block max-w-56 text-sm text-ink-600">
        {t('errors:refusals.OwnCounterRequest')}
      </span>
    );
  if (!isReceived && !request.allowedActions.includes('receive')) return null;
  const problem = error ? (
    <span role="alert" className="max-w-56 text-sm font-medium text-red-700">
      {messageOf(error)}
    </span>
  ) : null;
  if (isReceived) {
    return (
      <div className="relative z-1 flex flex-col items-start gap-1">
        <span
          role="status"
          className="flex items-center gap-1 font-semibold whitespace-nowrap text-green-700"
        >
          <Check aria-hidden size={18} />
          {t('staff.received')}
        </span>
        {request.allowedActions.includes('release') ? (
          <span className={isSettled ? undefined : 'pointer-events-none'}>
            <Button
              variant="quiet"
              size="sm"
              isPending={pending === 'release'}
              aria-label={t('staff:list.putBackName', { number: request.requestNumber })}
              onPress={() => run('release', onPutBack)}
            >
              {t('staff:list.putBack')}
            </Button>
          </span>
        ) : null}
        {problem}
      </div>
    );
  }
  return (
    <div className="relative z-1 flex flex-col items-start gap-1">
      <Button
        variant="secondary"
        size="sm"
        isPending={pending === 'receive'}
        aria-label={t('staff.receiveName', { number: request.requestNumber })}
        focusIds={['receiveRow']}
        onPress={() => run('receive', onReceived)}
      >
        {t('staff.receive')}
      </Button>
      {problem}
    </div>
  );
}
