import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
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
  });
  const run = (removes: boolean) => {
    setIsRemoval(removes);
    save.reset();
    test.mutate({ body: body(removes) });
  };
  const effect = test.data;
  const fieldError = test.error?.fieldErrors['words']?.join(' ');
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
        <p className="text-ink-600">{t('synonyms.hint')}</p>
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
          error={fieldError}
        />
        {fieldError ? null : <ErrorAlert error={test.error} />}
        <ErrorAlert error={save.error} />
        {effect ? <Effect effect={effect} /> : null}
      </div>
    </ConfirmDialog>
  );
}
