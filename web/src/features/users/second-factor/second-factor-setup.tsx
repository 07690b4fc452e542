import { Smartphone } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmSecondFactor } from '@diwan/contract/people/second-factor';
import { useAction } from '../../../lib/api/use-call.ts';
import { buttonStyle } from '../../../ui/actions/button-style.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { CopyButton } from '../../../ui/actions/copy-button.tsx';
import { QrCode } from '../../../ui/values/qr-code.tsx';
import { SecondFactorProof } from './second-factor-proof.tsx';

export interface BegunFactor {
  secret: string;
  uri: string;
}

interface SecondFactorSetupProps {
  begun: BegunFactor;
  onCodes: (codes: string[]) => void;
  onRestart: () => void;
}

/** The picture and the key for the app, then a code of it that shows it has come. */
export function SecondFactorSetup({ begun, onCodes, onRestart }: SecondFactorSetupProps) {
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
            <QrCode text={begun.uri} label={t('setup.picture')} />
          </div>
          <div className="flex min-w-0 flex-col items-start gap-3">
            <a href={begun.uri} className={`${buttonStyle('secondary')} md:hidden`}>
              <Smartphone aria-hidden size={20} />
              {t('setup.open')}
            </a>
            <p className="text-ink-600">{t('setup.byHand')}</p>
            <bdi
              dir="ltr"
              data-secret
              className="block max-w-64 text-lg font-semibold text-ink-900 tabular-nums select-all"
            >
              {begun.secret.match(/.{1,4}/g)?.join(' ')}
            </bdi>
            <CopyButton
              text={begun.secret}
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
