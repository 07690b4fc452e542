import { Download, Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { saveText } from '../../../lib/browser/save-content.ts';
import { useSession } from '../../../lib/api/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { CopyButton } from '../../../ui/actions/copy-button.tsx';

/** Recovery codes, the only time that they are shown: to copy, print and keep as a file. */
export function SecondFactorCodes({
  codes,
  isBusy,
  onDone,
}: {
  codes: readonly string[];
  isBusy: boolean;
  onDone: () => void;
}) {
  const { t } = useTranslation('security');
  const session = useSession();
  const title = useRef<HTMLDivElement>(null);
  // They take the place of what was pressed.
  useEffect(() => title.current?.focus(), []);
  const grouped = codes.map((code) => code.match(/.{1,4}/g)?.join(' ') ?? code);
  const heading = t('codes.printedFor', { name: `\u2068${session?.displayName ?? ''}\u2069` });
  const text = [heading, t('codes.fileNote'), '', ...grouped, ''].join('\r\n');
  return (
    <div ref={title} tabIndex={-1} className="outline-none">
      <Card title={t('codes.title')}>
        <p className="text-ink-600">{t('codes.lead')}</p>
        <p className="mt-3 hidden font-semibold print:block">{heading}</p>
        <ol
          aria-label={t('codes.list')}
          className="my-5 grid grid-cols-1 gap-x-8 gap-y-1 rounded-md bg-desert-50 p-4 sm:grid-cols-2 print:grid-cols-2"
        >
          {grouped.map((code) => (
            <li key={code}>
              <bdi
                dir="ltr"
                className="text-lg font-semibold whitespace-nowrap text-ink-900 tabular-nums"
              >
                {code}
              </bdi>
            </li>
          ))}
        </ol>
        <div data-no-print className="flex flex-wrap gap-3">
          <CopyButton
            text={grouped.join('\n')}
            label={t('codes.copy')}
            copiedLabel={t('codes.copied')}
          />
          <Button
            variant="secondary"
            size="sm"
            icon={<Printer aria-hidden size={18} />}
            onPress={() => window.print()}
          >
            {t('codes.print')}
          </Button>
          <Button
            variant="secondary"
            size="sm"
            icon={<Download aria-hidden size={18} />}
            onPress={() => saveText(text, 'diwan-recovery-codes.txt')}
          >
            {t('codes.download')}
          </Button>
        </div>
        <div data-no-print className="mt-6 border-t border-ink-100 pt-5">
          <Button isPending={isBusy} onPress={onDone}>
            {t('codes.done')}
          </Button>
        </div>
      </Card>
    </div>
  );
}
