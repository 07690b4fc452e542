import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { getInvoicePathByRequestId } from '@diwan/contract/requests/payments';
import { getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { saveFile } from '../../../lib/api/download.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { send } from '../../../lib/api/send.ts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { Button } from '../../../ui/actions/button.tsx';

/**
 * Downloads the invoices of a paid request, with progress and errors beside the button. Nothing for
 * visitors and service providers, who may not have them.
 */
export function DownloadInvoice({
  requestNumber,
  requestId,
  size,
  onStart,
}: {
  requestNumber: string;
  requestId?: number;
  size?: 'sm';
  /** Called when the person presses the button. */
  onStart?: () => void;
}) {
  const { t } = useTranslation('invoices');
  const session = useSession();
  const { mutate, isPending, isSuccess, error } = useMutation<void, ApiError>({
    mutationFn: async () => {
      const id =
        requestId ??
        (
          await send(getRequestIdByRequestNumber, {
            query: { RequestNumber: requestNumber },
            skipErrorHandling: true,
          })
        ).requestId;
      const filePath = await send(getInvoicePathByRequestId, {
        query: { RequestId: id },
        skipErrorHandling: true,
      });
      await saveFile(filePath, `invoice-${requestNumber}.pdf`);
    },
  });
  if (!hasRole(session, 'Client', 'CompanyUser', 'Employee', 'Admin')) return null;
  return (
    <div data-no-print className="flex flex-col gap-1 md:items-start">
      <Button
        variant="secondary"
        size={size}
        icon={<FileText aria-hidden size={18} />}
        isPending={isPending}
        onPress={() => {
          onStart?.();
          mutate();
        }}
      >
        {t(isPending ? 'download.pending' : 'download.button')}
      </Button>
      <p role="status" className={isSuccess ? 'text-sm text-green-800' : 'sr-only'}>
        {isSuccess ? t('download.done') : ''}
      </p>
      {error ? (
        <p role="alert" className="text-sm text-red-700">
          {messageOf(error)}
        </p>
      ) : null}
    </div>
  );
}
