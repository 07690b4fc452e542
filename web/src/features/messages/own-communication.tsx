import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import {
  changeOwnCommunication,
  getAllCommunicationType,
  getOwnCommunication,
  type CommunicationType,
  type OwnCommunication,
} from '@diwan/contract/people/communication-types';
import { languages } from '@diwan/contract/wire/languages';
import { PushControl } from './push-control.tsx';

// Without a choice every verified channel is used: the type with exactly these channels.
function currentTypeId(
  types: readonly CommunicationType[],
  { communicationTypeId, proved }: OwnCommunication,
): number | undefined {
  const chosen = types.find(
    ({ id, channels }) =>
      id === communicationTypeId && channels.every((channel) => proved.includes(channel)),
  );
  return (
    chosen?.id ??
    types.find(
      ({ channels }) =>
        channels.length === proved.length && channels.every((channel) => proved.includes(channel)),
    )?.id
  );
}

function OwnChoice({ types, own }: { types: readonly CommunicationType[]; own: OwnCommunication }) {
  const { t } = useTranslation(['messages', 'shell']);
  const { language: current } = useLanguage();
  const [typeId, setTypeId] = useState(currentTypeId(types, own));
  const [language, setLanguage] = useState(own.language ?? current);
  const change = useAction(changeOwnCommunication, {
    onSuccess: () => {
      showToast(t('own.saved'), 'success');
      return queryClient.invalidateQueries({ queryKey: [getOwnCommunication.name] });
    },
  });
  const isVerified = ({ channels }: CommunicationType) =>
    channels.every((channel) => own.proved.includes(channel));
  const possible = types.filter(isVerified);
  const chosen = possible.find(({ id }) => id === typeId);
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({
          body: { ...(chosen ? { communicationTypeId: chosen.id } : {}), language },
        });
      }}
    >
      {own.proved.length === 0 ? (
        <Alert tone="warning" title={t('own.nothingProved')} />
      ) : (
        <RadioGroup
          name="CommunicationTypeNotFound"
          focusIds={['AddressNotProved', 'communicationTypeId']}
          label={t('own.way')}
          description={possible.length < types.length ? t('own.notProved') : undefined}
          value={String(chosen?.id ?? '')}
          onChange={(value) => setTypeId(Number(value))}
          choices={possible.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      )}
      <SelectField
        label={t('own.language')}
        value={language}
        onChange={(value) => setLanguage(languages.find((each) => each === value) ?? current)}
        choices={languages.map((each) => ({ value: each, label: t(`shell:languages.${each}`) }))}
        width="medium"
      />
      <div>
        <Button
          type="submit"
          variant="secondary"
          isPending={change.isPending}
          pendingLabel={t('own.saving')}
        >
          {t('own.save')}
        </Button>
      </div>
    </form>
  );
}

/** The channels and the language in which the user is notified of requests. */
export function OwnCommunicationCard() {
  const { t } = useTranslation('messages');
  const types = useCall(getAllCommunicationType, {});
  const own = useCall(getOwnCommunication, {});
  if (!types.data || !own.data) return null;
  return (
    <Card title={t('own.title')}>
      <p className="mb-4 text-ink-600">{t('own.lead')}</p>
      <OwnChoice key={JSON.stringify(own.data)} types={types.data} own={own.data} />
      <div className="mt-6 border-t border-ink-100 pt-6">
        <PushControl />
      </div>
    </Card>
  );
}
