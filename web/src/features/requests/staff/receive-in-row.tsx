import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RequestSummary } from '@diwan/contract/requests';
import { messageOf } from '../../../lib/handle-error.ts';
import { Button } from '../../../ui/button.tsx';
import { useReceive } from '../request-actions.data.ts';

interface ReceiveInRowProps {
  request: RequestSummary;
  isReceived: boolean;
  onReceived: (request: RequestSummary) => void;
}

/** Receives without leaving the list; the result stands where the button was. It lies above the row's own link. */
export function ReceiveInRow({ request, isReceived, onReceived }: ReceiveInRowProps) {
  const { t } = useTranslation(['requests', 'errors']);
  const receive = useReceive();
  const { error } = receive;
  if (isReceived) return <span role="status" className="flex items-center gap-1 font-semibold text-green-700"><Check aria-hidden size={18} />{t('staff.received')}</span>;
  if (request.isOwnCounterRequest) return <span className="block max-w-56 text-sm text-ink-600">{t('errors:refusals.OwnCounterRequest')}</span>;
  if (!request.allowedActions.includes('receive')) return null;
  return (
    <div className="relative z-1 flex flex-col items-start gap-1">
      <Button
        variant="secondary" size="sm" isPending={receive.isPending} aria-label={t('staff.receiveName', { number: request.requestNumber })} focusIds={['receiveRow']}
        onPress={() => receive.mutate({ params: { requestId: request.requestId }, query: { version: request.version } }, { onSuccess: (record) => onReceived(record) })}
      >
        {t('staff.receive')}
      </Button>
      {error ? <span role="alert" className="max-w-56 text-sm font-medium text-red-700">{messageOf(error)}</span> : null}
    </div>
  );
}
