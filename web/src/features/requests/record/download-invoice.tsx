import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import type { ApiError } from '#lib/api/api-error.ts';
import { saveFile } from '#lib/api/download.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { mayCall, useSession } from '#lib/api/session.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { getInvoicePathByRequestId, type InvoiceKind } from '@diwan/contract/requests/payments';
import { getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';

/**
 * Downloads the invoices, receipts or credit notes of a paid request, with progress and errors beside
 * the buttons. Nothing for visitors and service providers, who may not have them.
 */
export function DownloadInvoice({
  requestNumber,
  requestId,
  size,
  kinds = ['invoice', 'receipt'],
  onStart,
}: {
  requestNumber: string;
  requestId?: number | undefined;
  size?: 'sm';
  kinds?: readonly InvoiceKind[];
  /** Called when the person presses a button. */
  onStart?: () => void;
}) {
  const { t } = useTranslation('invoices');
  const session = useSession();
  const { mutate, variables, isPending, isSuccess, error } = useMutation<
    void,
    ApiError,
    InvoiceKind
  >({
    mutationFn: async (kind) => {
      const id =
        requestId ??
        (
          await send(getRequestIdByRequestNumber, {
            query: { RequestNumber: requestNumber },
            skipErrorHandling: true,
          })
        ).requestId;
      const filePath = await send(getInvoicePathByRequestId, {
        query: { RequestId: id, Kind: kind },
        skipErrorHandling: true,
      });
      await saveFile(filePath, `${kind}-${requestNumber}.pdf`);
    },
  });
  if (!mayCall(session, getInvoicePathByRequestId)) return null;
  return (
    <div data-no-print className="flex flex-col gap-1 md:items-start">
      <div className="flex flex-col gap-3 md:flex-row md:flex-wrap">
        {kinds.map((kind) => (
          <Button
            key={kind}
            variant="secondary"
            size={size}
            icon={<FileText aria-hidden size={18} />}
            isPending={isPending && variables === kind}
            isDisabled={isPending && variables !== kind}
            onPress={() => {
              onStart?.();
              mutate(kind);
            }}
          >
            {t(`download.${kind}.${isPending && variables === kind ? 'pending' : 'button'}`)}
          </Button>
        ))}
      </div>
      <DownloadOutcome done={isSuccess ? t(`download.${variables}.done`) : ''} error={error} />
    </div>
  );
}

/** Says that a file was saved (`done` is empty before), or why it was not. */
export function DownloadOutcome({ done, error }: { done: string; error: ApiError | null }) {
  return (
    <>
      <p role="status" className={done === '' ? 'sr-only' : 'text-sm text-green-800'}>
        {done}
      </p>
      {error ? (
        <p role="alert" className="text-sm text-red-700">
          {messageOf(error)}
        </p>
      ) : null}
    </>
  );
}
