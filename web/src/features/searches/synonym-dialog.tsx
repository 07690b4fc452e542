import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { useAgencyChoices } from '#ui/search/agency-choices.ts';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  getSearchTerms,
  getSynonyms,
  saveSynonyms,
  trySynonyms,
  type ChangedQuestion,
  type SynonymGroup,
} from '@diwan/contract/catalogue/searches';
import type { ReplyOf } from '@diwan/contract/wire/call';

const wordsOf = (text: string) =>
  text
    .split(/[\n,،]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

function Questions({ title, items }: { title: string; items: readonly ChangedQuestion[] }) {
  const { t } = useTranslation('searches');
  const { count } = useFormat();
  if (items.length === 0) return null;
  const place = (at: number) =>
    at === 0 ? t('effect.notFound') : t('effect.place', { at: count(at) });
  return (
    <div>
      <p className="font-semibold">{title}</p>
      <ul className="list-disc ps-5">
        {items.slice(0, 10).map((item) => (
          <li key={`${item.language} ${item.text}`}>
            <bdi lang={item.language}>{item.text}</bdi>:{' '}
            <span>
              {t('effect.change', { before: place(item.before), after: place(item.after) })}
            </span>{' '}
            <span className="text-ink-600">
              (<bdi>{item.service}</bdi>)
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Which test searches get better or worse. */
function Effect({ effect }: { effect: ReplyOf<typeof trySynonyms> }) {
  const { t } = useTranslation('searches');
  return (
    <Alert
      isLive
      tone={effect.worse.length > 0 ? 'warning' : effect.better.length > 0 ? 'success' : 'info'}
      title={
        effect.better.length + effect.worse.length === 0
          ? t('effect.none', { count: effect.questions })
          : t('effect.some', { better: effect.better.length, worse: effect.worse.length })
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <Questions title={t('effect.worse')} items={effect.worse} />
        <Questions title={t('effect.better')} items={effect.better} />
      </div>
    </Alert>
  );
}

/** Whose services a group finds: a group keeps its agency, a new one is for the chosen one or for all. */
function AgencyOfGroup({
  group,
  value,
  onChange,
  error,
}: {
  group: SynonymGroup | undefined;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('searches');
  const agencies = useAgencyChoices(getManagedAgencies);
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const hasAgency = isOfAgency || group?.agency !== undefined;
  return (
    <>
      <p className="text-ink-600">{t(hasAgency ? 'synonyms.hintOfAgency' : 'synonyms.hint')}</p>
      {group?.agency ? (
        <p>
          <span>{t('synonyms.agency')}</span>: <bdi>{group.agency.name}</bdi>
        </p>
      ) : null}
      {!group && agencies.length > 0 ? (
        <ComboField
          name="agencyId"
          label={t('synonyms.agency')}
          description={isOfAgency ? undefined : t('synonyms.agencyHint')}
          value={value}
          onChange={onChange}
          choices={agencies}
          isOptional={!isOfAgency}
          error={error}
        />
      ) : null}
    </>
  );
}

/**
 * Adds, changes or removes a group of synonyms. The effect on the test searches is shown first; only
 * what was tried can be saved.
 */
export function SynonymDialog({
  group,
  words = [],
  onClose,
}: {
  group?: SynonymGroup;
  /** The first words of a new group. */
  words?: readonly string[];
  onClose: () => void;
}) {
  const { t } = useTranslation('searches');
  const client = useQueryClient();
  const [text, setText] = useState((group?.words ?? words).join('\n'));
  const [isRemoval, setIsRemoval] = useState(false);
  const [agencyId, setAgencyId] = useState('');
  const test = useAction(trySynonyms, { skipErrorHandling: true });
  const save = useAction(saveSynonyms, {
    skipErrorHandling: true,
    onSuccess: () => {
      for (const call of [getSynonyms, getSearchTerms])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('synonyms.saved'), 'success');
      onClose();
    },
  });
  const body = (removes: boolean) => ({
    ...(group ? { id: group.id, known: group.words } : {}),
    ...(removes ? {} : { words: wordsOf(text) }),
    ...(agencyId === '' ? {} : { agencyId: Number(agencyId) }),
  });
  const run = (removes: boolean) => {
    setIsRemoval(removes);
    save.reset();
    test.mutate({ body: body(removes) });
  };
  const effect = test.data;
  const errorOf = (field: string) => test.error?.fieldErrors[field]?.join(' ');
  const errors = { words: errorOf('words'), agencyId: errorOf('agencyId') };
  return (
    <ConfirmDialog
      title={t(group ? 'synonyms.editTitle' : 'synonyms.addTitle')}
      confirmLabel={effect ? t(isRemoval ? 'synonyms.remove' : 'synonyms.save') : t('synonyms.try')}
      cancelLabel={t('synonyms.cancel')}
      isDangerous={isRemoval && effect !== undefined}
      isPending={test.isPending || save.isPending}
      onConfirm={() => (effect ? save.mutate({ body: body(isRemoval) }) : run(false))}
      otherAction={
        group && !effect ? (
          <Button variant="danger" isDisabled={test.isPending} onPress={() => run(true)}>
            {t('synonyms.tryRemoval')}
          </Button>
        ) : undefined
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <AgencyOfGroup
          group={group}
          value={agencyId}
          onChange={(chosen) => {
            setAgencyId(chosen);
            test.reset();
            save.reset();
          }}
          error={errors.agencyId}
        />
        <TextAreaField
          name="words"
          label={t('synonyms.words')}
          value={text}
          onChange={(value) => {
            setText(value);
            test.reset();
            save.reset();
          }}
          rows={5}
          error={errors.words}
        />
        {errors.words || errors.agencyId ? null : <ErrorAlert error={test.error} />}
        <ErrorAlert error={save.error} />
        {effect ? <Effect effect={effect} /> : null}
      </div>
    </ConfirmDialog>
  );
}
