import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { QrCode } from '#ui/values/qr-code.tsx';

interface PrintFrameProps {
  /** The title of the printed page. */
  title: string;
  requestNumber: string;
  /** The address in the QR code. */
  address: string;
  children: ReactNode;
}

/**
 * Repeats the request number and a QR code at the top of every printed page. It is laid out as a
 * table, because browsers repeat a table's head. It changes nothing on the screen.
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
            {/* The page contains both texts already, so the style sheet writes them in print only. */}
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

/** Set while the full record is printed; the style sheet shows `data-print-full` parts only then. */
const { dataset } = document.documentElement;

export const isPrintingFullRecord = (): boolean => dataset['print'] === 'full';

/** Prints the page with everything that it folds, which is closed again afterwards. */
export function printFullRecord(): void {
  const folded = document.querySelectorAll<HTMLDetailsElement>(
    'main details:not([open], [data-no-print])',
  );
  const setFull = (isFull: boolean) => {
    for (const details of folded) details.open = isFull;
    if (isFull) dataset['print'] = 'full';
    else delete dataset['print'];
  };
  window.addEventListener('afterprint', () => setFull(false), { once: true });
  setFull(true);
  window.print();
}

/** `className`: of its text, such as that of a narrow place. */
export function PrintButton({ className }: { className?: string }) {
  const { t } = useTranslation('requests');
  return (
    <span data-no-print>
      <Button
        variant="quiet"
        size="sm"
        icon={<Printer aria-hidden size={18} />}
        onPress={() => window.print()}
      >
        <span className={className}>{t('record.print')}</span>
      </Button>
    </span>
  );
}
