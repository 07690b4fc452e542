import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';

/** The number as large as it is important, and a way to take it along. */
export function AcceptedRequestNumber({ requestNumber }: { requestNumber: string }) {
  const { t } = useTranslation('payments');
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = window.setTimeout(() => setIsCopied(false), 4000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void navigator.clipboard?.writeText(requestNumber).then(() => setIsCopied(true), () => undefined);
  return (
    <div>
      <p className="text-ink-600">{t('accepted.number')}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <bdi dir="ltr" data-request-number className="text-xl font-semibold whitespace-nowrap text-ink-900 tabular-nums select-all md:text-3xl">{requestNumber}</bdi>
        <span data-no-print><Button variant="secondary" size="sm" icon={isCopied ? <Check aria-hidden size={18} /> : <Copy aria-hidden size={18} />} onPress={copy}>{isCopied ? t('accepted.copied') : t('accepted.copy')}</Button></span>
      </div>
      <span role="status" className="sr-only">{isCopied ? t('accepted.copied') : ''}</span>
    </div>
  );
}
