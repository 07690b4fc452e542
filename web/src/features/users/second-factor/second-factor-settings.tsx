import { useState, useId, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  beginSecondFactor,
  getSecondFactor,
  newRecoveryCodes,
  removeSecondFactor,
  type SecondFactor,
} from '@diwan/contract/people/second-factor';
import { getProfile } from '@diwan/contract/people/users';
import { SecondFactorProof, type Proof } from './second-factor-proof.tsx';
import type { StartedFactor } from './second-factor-setup.tsx';

interface SecondFactorDialogProps {
  title: string;
  send: string;
  isDanger?: boolean;
  asksPassword: boolean;
  action: { error: ApiError | null; isPending: boolean; reset: () => void };
  onProof: (proof: Proof) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog for a change of the second factor that requires proof of identity. */
function SecondFactorDialog({
  title,
  send,
  isDanger,
  asksPassword,
  action,
  onProof,
  onClose,
  children,
}: SecondFactorDialogProps) {
  const { t } = useTranslation('security');
  const form = useId();
  return (
    <ConfirmDialog
      title={title}
      formId={form}
      confirmLabel={send}
      pendingLabel={t('factor.working')}
      cancelLabel={t('factor.cancel')}
      cancelVariant="secondary"
      isDangerous={isDanger}
      isPending={action.isPending}
      onClose={onClose}
    >
      <SecondFactorProof
        id={form}
        asksPassword={asksPassword}
        codeLabel={t('state.code')}
        error={action.error}
        onChange={action.reset}
        onProof={(proof) => {
          if (!action.isPending) onProof(proof);
        }}
      >
        <p className="text-ink-600">{children}</p>
      </SecondFactorProof>
    </ConfirmDialog>
  );
}

interface SecondFactorStateProps {
  factor: SecondFactor;
  onStarted: (started: StartedFactor) => void;
  onCodes: (codes: string[]) => void;
}

type Change = 'newCodes' | 'otherPhone' | 'remove';
const fewCodes = 3;

/** The state of the second factor, and the possible changes. */
export function SecondFactorSettings({ factor, onStarted, onCodes }: SecondFactorStateProps) {
  const { t } = useTranslation('security');
  const { count } = useFormat();
  const [change, setChange] = useState<Change>();
  const { data: profile } = useCall(getProfile, {});
  const own = { skipErrorHandling: true };
  const renew = useAction(newRecoveryCodes, {
    ...own,
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  const start = useAction(beginSecondFactor, { ...own, onSuccess: onStarted });
  const remove = useAction(removeSecondFactor, {
    ...own,
    onSuccess: async () => {
      showToast(t('state.removed'), 'success');
      setChange(undefined);
      await queryClient.invalidateQueries({ queryKey: [getSecondFactor.name] });
    },
  });
  const open = (next: Change) => () => {
    for (const action of [renew, start, remove]) action.reset();
    setChange(next);
  };
  const close = () => setChange(undefined);
  const left = factor.recoveryCodesLeft;
  return (
    <>
      {left <= fewCodes ? (
        <Alert
          tone="warning"
          action={
            <Button variant="secondary" size="sm" onPress={open('newCodes')}>
              {t('state.newCodes')}
            </Button>
          }
        >
          {left === 0 ? t('state.noneLeft') : t('state.fewLeft', { count: left })}
        </Alert>
      ) : null}
      <Card title={t('state.title')}>
        <KeyValueList
          items={[
            { label: t('state.status'), value: <StatusTag tone="done">{t('state.on')}</StatusTag> },
            ...(factor.since
              ? [{ label: t('state.since'), value: <Moment at={factor.since} as="date" /> }]
              : []),
            { label: t('state.codesLeft'), value: count(left) },
          ]}
        />
      </Card>
      <Card title={t('state.manage')}>
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onPress={open('newCodes')}>
            {t('state.newCodes')}
          </Button>
          <Button variant="secondary" onPress={open('otherPhone')}>
            {t('state.otherPhone')}
          </Button>
          {factor.isRequired ? null : (
            <Button variant="danger" onPress={open('remove')}>
              {t('state.remove')}
            </Button>
          )}
        </div>
        {factor.isRequired ? (
          <p className="mt-4 text-sm text-ink-600">{t('state.cannotRemove')}</p>
        ) : null}
      </Card>
      {change === 'newCodes' ? (
        <SecondFactorDialog
          title={t('state.newCodes')}
          send={t('state.newCodesSend')}
          asksPassword={false}
          action={renew}
          onClose={close}
          onProof={({ code = '' }) => renew.mutate({ body: { code } })}
        >
          {t('state.newCodesText')}
        </SecondFactorDialog>
      ) : null}
      {change === 'otherPhone' ? (
        <SecondFactorDialog
          title={t('state.otherPhone')}
          send={t('state.otherPhoneSend')}
          asksPassword={factor.asksPassword}
          action={start}
          onClose={close}
          onProof={(body) => start.mutate({ body })}
        >
          {t('state.otherPhoneText')}
        </SecondFactorDialog>
      ) : null}
      {change === 'remove' ? (
        <SecondFactorDialog
          title={t('state.removeTitle')}
          send={t('state.removeSend')}
          isDanger
          asksPassword={profile?.hasPassword ?? true}
          action={remove}
          onClose={close}
          onProof={({ code = '', password }) => remove.mutate({ body: { code, password } })}
        >
          {t('state.removeText')}
        </SecondFactorDialog>
      ) : null}
    </>
  );
}
