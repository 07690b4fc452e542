import { Smartphone, Download, Printer } from 'lucide-react';
import { useId, useEffect, useRef } from 'react';
import { useSession } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { saveText } from '#lib/browser/save-file.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { buttonStyle, Button } from '#ui/actions/button.tsx';
import { CopyButton } from '#ui/actions/copy-button.tsx';
import { Card } from '#ui/data/card.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { QrCode } from '#ui/values/qr-code.tsx';
import {
  confirmSecondFactor,
  beginSecondFactor,
  type SecondFactor,
} from '@diwan/contract/people/second-factor';
import { SecondFactorProof } from './second-factor-proof.tsx';

export interface StartedFactor {
  secret: string;
  uri: string;
}

interface SecondFactorSetupProps {
  started: StartedFactor;
  onCodes: (codes: string[]) => void;
  onRestart: () => void;
}

/** The QR code and the key for the app, then a field to confirm a code. */
export function SecondFactorSetup({ started, onCodes, onRestart }: SecondFactorSetupProps) {
  const { t } = useTranslation('security');
  const form = useId();
  const confirm = useAction(confirmSecondFactor, {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    skipErrorHandling: true,
  });
  return (
    <>
      <Card title={t('setup.title')}>
        <p className="text-ink-600">{t('setup.hint')}</p>
        <div className="mt-5 flex flex-col gap-6 md:flex-row md:items-start">
          <div className="size-56 shrink-0 rounded-md border border-ink-200 p-1">
            <QrCode text={started.uri} label={t('setup.picture')} />
          </div>
          <div className="flex min-w-0 flex-col items-start gap-3">
            <a href={started.uri} className={`${buttonStyle('secondary')} md:hidden`}>
              <Smartphone aria-hidden size={20} />
              {t('setup.open')}
            </a>
            <p className="text-ink-600">{t('setup.byHand')}</p>
            <bdi
              dir="ltr"
              data-secret
              className="block max-w-64 text-lg font-semibold text-ink-900 tabular-nums select-all"
            >
              {started.secret.match(/.{1,4}/g)?.join(' ')}
            </bdi>
            <CopyButton
              text={started.secret}
              label={t('setup.copy')}
              copiedLabel={t('setup.copied')}
            />
          </div>
        </div>
      </Card>
      <Card title={t('setup.confirmTitle')}>
        <SecondFactorProof
          id={form}
          asksPassword={false}
          codeLabel={t('setup.code')}
          error={confirm.error}
          onChange={confirm.reset}
          onProof={({ code = '' }) => {
            if (!confirm.isPending) confirm.mutate({ body: { code } });
          }}
        >
          <p className="-mb-3 text-ink-600">{t('setup.codeHint')}</p>
        </SecondFactorProof>
        <div className="mt-5 flex flex-wrap gap-3">
          <Button
            type="submit"
            form={form}
            isPending={confirm.isPending}
            pendingLabel={t('factor.working')}
          >
            {t('setup.confirm')}
          </Button>
          <Button variant="secondary" isDisabled={confirm.isPending} onPress={onRestart}>
            {t(confirm.error?.name === 'SecondFactorNotBegun' ? 'setup.restart' : 'factor.cancel')}
          </Button>
        </div>
      </Card>
    </>
  );
}

/** The recovery codes, which are shown only once: to copy, print and download. */
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
  // The codes replace the pressed button, so the focus is moved to them.
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

/** An explanation and the requirements, before the setup starts. */
export function SecondFactorStart({
  factor,
  onStarted,
}: {
  factor: SecondFactor;
  onStarted: (started: StartedFactor) => void;
}) {
  const { t } = useTranslation('security');
  const form = useId();
  const start = useAction(beginSecondFactor, { onSuccess: onStarted, skipErrorHandling: true });
  return (
    <>
      {factor.mustSetUp ? <Alert tone="warning">{t('factor.required')}</Alert> : null}
      <Card title={t('factor.steps.title')}>
        <ol className="list-decimal space-y-2 ps-6 marker:font-semibold marker:text-gold-700">
          {(['app', 'scan', 'keep'] as const).map((step) => (
            <li key={step}>{t(`factor.steps.${step}`)}</li>
          ))}
        </ol>
        <div className="mt-6">
          <SecondFactorProof
            id={form}
            asksPassword={factor.asksPassword}
            error={start.error}
            onChange={start.reset}
            onProof={(body) => {
              if (!start.isPending) start.mutate({ body });
            }}
          />
          <div className={factor.asksPassword || start.error ? 'mt-5' : undefined}>
            <Button
              type="submit"
              form={form}
              isPending={start.isPending}
              pendingLabel={t('factor.working')}
            >
              {t('factor.begin')}
            </Button>
          </div>
        </div>
      </Card>
    </>
  );
}
