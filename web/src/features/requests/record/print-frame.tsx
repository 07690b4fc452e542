import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QrCode } from '../../../ui/values/qr-code.tsx';

interface PrintFrameProps {
  /** What the paper is about. */
  title: string;
  requestNumber: string;
  /** The address that the code holds. */
  address: string;
  children: ReactNode;
}

/**
 * On paper every page begins with the number and a code that leads back; a table's head is what
 * browsers repeat. On the screen it is nothing.
 */
export function PrintFrame({ title, requestNumber, address, children }: PrintFrameProps) {
  const { t } = useTranslation('staff');
  return (
    <div className="print:table print:w-full">
      <div
        data-print-head
        aria-hidden
        className="hidden break-inside-avoid print:table-header-group"
      >
        <div className="mb-4 flex items-center justify-between gap-6 border-b-2 border-ink-800 pb-3">
          <div className="min-w-0">
            <p className="text-sm text-ink-600">{t('print.head')}</p>
            {/* The page says both already; written by the style sheet they are on paper alone. */}
            <p data-text={title} className="font-semibold before:content-[attr(data-text)]" />
            <bdi
              dir="ltr"
              data-text={requestNumber}
              className="text-lg font-semibold tabular-nums before:content-[attr(data-text)]"
            />
          </div>
          <div className="size-24 shrink-0">
            <QrCode text={address} label={requestNumber} />
          </div>
        </div>
      </div>
      <div className="print:table-row-group">{children}</div>
    </div>
  );
}
