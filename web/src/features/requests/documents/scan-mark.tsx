import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Attachment } from '@diwan/contract/requests/attachments';

/** Whether nobody may open it: not before the scan has passed it. */
export function isHeldBack({ scanState }: Pick<Attachment, 'scanState'>): boolean {
  return scanState === 'waiting' || scanState === 'infected';
}

const looks = {
  waiting: { icon: ShieldQuestion, style: 'text-amber-800' },
  infected: { icon: ShieldAlert, style: 'text-red-700' },
  clean: { icon: ShieldCheck, style: 'text-ink-500' },
};

/** What is known of harmful content; nothing is said where no scanner is set. */
export function ScanMark({
  attachment: { scanState, findings },
}: {
  attachment: Pick<Attachment, 'scanState' | 'findings'>;
}) {
  const { t } = useTranslation('attachments');
  const look = scanState === undefined || scanState === 'notScanned' ? undefined : looks[scanState];
  const Icon = look?.icon;
  return (
    <>
      {look && Icon ? (
        <span data-scan={scanState} className={`flex items-start gap-1 text-sm ${look.style}`}>
          <span className="flex h-[1lh] shrink-0 items-center">
            <Icon aria-hidden size={16} />
          </span>
          {t(`scan.${scanState}`)}
        </span>
      ) : null}
      {findings && findings.length > 0 ? (
        <span className="flex items-start gap-1 text-sm font-medium text-amber-800">
          <ShieldAlert aria-hidden size={16} className="mt-1 shrink-0" />
          {findings.map((finding) => t(`scan.findings.${finding}`)).join(' ')}
        </span>
      ) : null}
    </>
  );
}
