import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { Attachment } from '@diwan/contract/requests/attachments';

/** Whether a document cannot be opened because no scan has passed it. */
export function isQuarantined({ scanState }: Pick<Attachment, 'scanState'>): boolean {
  return scanState === 'waiting' || scanState === 'infected';
}

const scanStyles = {
  waiting: { icon: ShieldQuestion, style: 'text-amber-800' },
  infected: { icon: ShieldAlert, style: 'text-red-700' },
  clean: { icon: ShieldCheck, style: 'text-ink-500' },
};

/** The result of the virus scan and its findings. Empty when no scanner is configured. */
export function ScanStatus({
  attachment: { scanState, findings },
}: {
  attachment: Pick<Attachment, 'scanState' | 'findings'>;
}) {
  const { t } = useTranslation('attachments');
  const scanStyle =
    scanState === undefined || scanState === 'notScanned' ? undefined : scanStyles[scanState];
  const Icon = scanStyle?.icon;
  return (
    <>
      {scanStyle && Icon ? (
        <span data-scan={scanState} className={`flex items-start gap-1 text-sm ${scanStyle.style}`}>
          <span className="flex h-[1lh] shrink-0 items-center">
            <Icon aria-hidden size={16} />
          </span>
          <span>{t(`scan.${scanState}`)}</span>
        </span>
      ) : null}
      {findings && findings.length > 0 ? (
        <span className="flex items-start gap-1 text-sm font-medium text-amber-800">
          <ShieldAlert aria-hidden size={16} className="mt-1 shrink-0" />
          <span>{findings.map((finding) => t(`scan.findings.${finding}`)).join(' ')}</span>
        </span>
      ) : null}
    </>
  );
}
