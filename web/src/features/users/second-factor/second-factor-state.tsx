import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  beginSecondFactor,
  getSecondFactor,
  newRecoveryCodes,
  removeSecondFactor,
  type SecondFactor,
} from '@diwan/contract/people/second-factor';
import { getProfile } from '@diwan/contract/people/users';
import { useFormat } from '../../../lib/i18n/format.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction, useCall } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { KeyValueList } from '../../../ui/data/key-value-list.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';
import type { BegunFactor } from './second-factor-setup.tsx';

interface SecondFactorStateProps {
  factor: SecondFactor;
  onBegun: (begun: BegunFactor) => void;
  onCodes: (codes: string[]) => void;
}

type Change = 'newCodes' | 'otherPhone' | 'remove';
const fewCodes = 3;

/** What is set up, and what can be changed of it. */
export function SecondFactorState({ factor, onBegun, onCodes }: SecondFactorStateProps) {
  const { t } = useTranslation('security');
  const { count } = useFormat();
  const [change, setChange] = useState<Change>();
  const { data: profile } = useCall(getProfile, {});
  const own = { skipErrorHandling: true };
  const renew = useAction(newRecoveryCodes, {
    ...own,
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  const begin = useAction(beginSecondFactor, { ...own, onSuccess: onBegun });
  const remove = useAction(removeSecondFactor, {
    ...own,
    onSuccess: async () => {
      showToast(t('state.removed'), 'success');
      setChange(undefined);
      await queryClient.invalidateQueries({ queryKey: [getSecondFactor.name] });
    },
  });
  const open = (next: Change) => () => {
    for (const action of [renew, begin, remove]) action.reset();
    setChange(next);
  };
  const close = () => setChange(undefined);
  const left = factor.recoveryCodesLeft;
  return (
    <>
      {left <= fewCodes ? (
        <Notice
          tone="warning"
          action={
            <Button variant="secondary" size="sm" onPress={open('newCodes')}>
              {t('state.newCodes')}
            </Button>
          }
        >
          {left === 0 ? t('state.noneLeft') : t('state.fewLeft', { count: left })}
        </Notice>
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
          action={begin}
          onClose={close}
          onProof={(body) => begin.mutate({ body })}
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
