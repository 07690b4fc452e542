import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRefund } from '@diwan/contract/requests/request-refunds';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { Button } from '../../../ui/actions/button.tsx';
import { RefundDialog } from './refund-dialog.tsx';

interface RefundRecorderProps {
  requestId: number;
  refund: RequestRefund;
  reload: () => Promise<RequestRecord | undefined>;
}

/** The admin's way to write down that money was given back. */
export function RefundRecorder({ requestId, refund, reload }: RefundRecorderProps) {
  const { t } = useTranslation('requests');
  const [isOpen, setIsOpen] = useState(false);
  const isDone = refund.refunded === refund.refundable;
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The button is gone once everything is given back; keys go on from where it was.
    if (wasOpen.current && !isOpen && isDone)
      window.requestAnimationFrame(() => place.current?.focus());
    wasOpen.current = isOpen;
  }, [isOpen, isDone]);
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {isDone ? null : (
        <span data-no-print className="mt-2 flex">
          <Button variant="secondary" size="sm" onPress={() => setIsOpen(true)}>
            {t('refunds.record')}
          </Button>
        </span>
      )}
      {isOpen ? (
        <RefundDialog
          requestId={requestId}
          refund={refund}
          reload={reload}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  );
}
