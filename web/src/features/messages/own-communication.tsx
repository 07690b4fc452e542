import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeOwnCommunication,
  getAllCommunicationType,
  getOwnCommunication,
  type CommunicationType,
  type OwnCommunication,
} from '@diwan/contract/people/communication-types';
import { languages } from '@diwan/contract/wire/languages';
import { useLanguage } from '../../lib/i18n/language.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction, useCall } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { RadioGroup } from '../../ui/forms/radio-group.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';

// Without a choice every proved way is used: the type that has just those.
function typeInForce(
  types: readonly CommunicationType[],
  { communicationTypeId, proved }: OwnCommunication,
): number | undefined {
  const kept = types.find(
    ({ id, channels }) =>
      id === communicationTypeId && channels.every((channel) => proved.includes(channel)),
  );
  return (
    kept?.id ??
    types.find(
      ({ channels }) =>
        channels.length === proved.length && channels.every((channel) => proved.includes(channel)),
    )?.id
  );
}

function OwnChoice({ types, own }: { types: readonly CommunicationType[]; own: OwnCommunication }) {
  const { t } = useTranslation(['messages', 'shell']);
  const { language: current } = useLanguage();
  const [typeId, setTypeId] = useState(typeInForce(types, own));
  const [language, setLanguage] = useState(own.language ?? current);
  const change = useAction(changeOwnCommunication, {
    onSuccess: () => {
      showToast(t('own.saved'), 'success');
      return queryClient.invalidateQueries({ queryKey: [getOwnCommunication.name] });
    },
  });
  const isProved = ({ channels }: CommunicationType) =>
    channels.every((channel) => own.proved.includes(channel));
  const possible = types.filter(isProved);
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
        <Notice tone="warning" title={t('own.nothingProved')} />
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

/** How, and in which language, the person is told of their requests. */
export function OwnCommunicationCard() {
  const { t } = useTranslation('messages');
  const types = useCall(getAllCommunicationType, {});
  const own = useCall(getOwnCommunication, {});
  if (!types.data || !own.data) return null;
  return (
    <Card title={t('own.title')}>
      <p className="mb-4 text-ink-600">{t('own.lead')}</p>
      <OwnChoice key={JSON.stringify(own.data)} types={types.data} own={own.data} />
    </Card>
  );
}
