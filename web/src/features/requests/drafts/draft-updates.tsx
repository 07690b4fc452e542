import { useEffect, useRef, useState } from 'react';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { Skeleton, SkeletonBar, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import type { SavedDraft } from '@diwan/contract/requests/drafts';
import { AnswerText } from '../form-fields/step-answers.tsx';
import type { DraftConflict } from './draft-merge.ts';
import type { Draft } from './draft.ts';

type Side = 'mine' | 'theirs';

interface DraftConflictsProps {
  form: ServiceForm;
  conflicts: readonly DraftConflict[];
  onChoose: (choose: (before: Draft) => Draft) => void;
}

/** Shows both versions of fields that were changed in two places; the user selects one of each. */
export function DraftConflicts({ form, conflicts, onChoose }: DraftConflictsProps) {
  const { t } = useTranslation('drafts');
  const { language } = useLanguage();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const fields = form.steps.flatMap((step) => step.fields);
  const keyOf = ({ part, name }: DraftConflict) => `${part}:${name}`;
  const sideOf = (conflict: DraftConflict): Side => chosen[keyOf(conflict)] ?? 'mine';
  const chosenOf = (part: DraftConflict['part']) =>
    conflicts
      .filter((each) => each.part === part)
      .map((each) => [each.name, each[sideOf(each)]] as const);
  const done = () =>
    onChoose((before) => ({
      ...before,
      answers: { ...before.answers, ...Object.fromEntries(chosenOf('answers')) },
      explanations: {
        ...before.explanations,
        ...Object.fromEntries(
          chosenOf('explanations').map(([name, text]) => [name, String(text ?? '')]),
        ),
      },
    }));
  return (
    <Dialog
      isOpen
      isBusy
      onClose={() => undefined}
      title={t('conflict.title')}
      actions={<Button onPress={done}>{t('conflict.keep')}</Button>}
    >
      <div className="flex flex-col gap-6">
        <p>{t('conflict.text')}</p>
        {conflicts.map((conflict) => {
          const { part, name, mine, theirs } = conflict;
          const isWhy = part === 'explanations';
          const field = fields.find((each) => each.name === (isWhy ? name.split(/[.#]/)[1] : name));
          const shown = (value: unknown) =>
            value === undefined || value === null || value === '' ? (
              t('conflict.empty')
            ) : isWhy || !field ? (
              <bdi className="wrap-anywhere">{String(value)}</bdi>
            ) : (
              <AnswerText field={field} value={value} />
            );
          const title = field?.title[language] ?? name;
          return (
            <RadioGroup
              key={keyOf(conflict)}
              name={keyOf(conflict)}
              label={isWhy ? t('conflict.why', { title }) : title}
              value={sideOf(conflict)}
              onChange={(side) =>
                setChosen((before) => ({
                  ...before,
                  [keyOf(conflict)]: side === 'theirs' ? 'theirs' : 'mine',
                }))
              }
              choices={[
                { value: 'mine', label: t('conflict.mine'), hint: shown(mine) },
                { value: 'theirs', label: t('conflict.theirs'), hint: shown(theirs) },
              ]}
            />
          );
        })}
      </div>
    </Dialog>
  );
}

/** Stands for a form while its draft is loading. */
export function DraftSkeleton() {
  return (
    <Skeleton>
      <div className="flex max-w-form flex-col gap-6">
        <SkeletonBar className="h-9 w-4/5" />
        <SkeletonText lines={6} />
      </div>
    </Skeleton>
  );
}

const kinds = ['removed', 'changed', 'added'] as const;

/** The changes of the form since the draft was saved, until the user dismisses them. */
export function FormChanges({ changes }: { changes: SavedDraft['formChanges'] }) {
  const { t } = useTranslation('drafts');
  const { list } = useFormat();
  const [isSeen, setIsSeen] = useState(false);
  if (changes.length === 0 || isSeen) return null;
  const titlesOf = (kind: (typeof kinds)[number]) =>
    changes.filter((each) => each.kind === kind).map((each) => each.title);
  return (
    <div className="mb-6">
      <Alert
        tone="info"
        title={t('changed.title')}
        action={
          <Button variant="secondary" size="sm" onPress={() => setIsSeen(true)}>
            {t('changed.seen')}
          </Button>
        }
      >
        <ul className="flex flex-col gap-1">
          {kinds
            .filter((kind) => titlesOf(kind).length > 0)
            .map((kind) => (
              <li key={kind}>{t(`changed.${kind}`, { fields: list(titlesOf(kind)) })}</li>
            ))}
        </ul>
      </Alert>
    </div>
  );
}

/** The page of a draft that was sent before, such as in another window or on another device. */
export function DraftSent({
  serviceName,
  onStartOver,
}: {
  serviceName: string;
  onStartOver: () => void;
}) {
  const { t } = useTranslation('drafts');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The field that had the focus is gone. Its form was longer than this page.
    if (document.activeElement !== document.body) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="mt-4 max-w-form md:mt-8">
      <p className="text-sm text-ink-500 max-md:hidden">{serviceName}</p>
      <h1 ref={heading} tabIndex={-1} className="mt-1 mb-4 text-2xl outline-none">
        {t('sent.title')}
      </h1>
      <Alert
        tone="success"
        action={
          <div className="flex flex-wrap gap-3">
            <LinkButton to="/requests">{t('sent.myRequests')}</LinkButton>
            <Button variant="secondary" onPress={onStartOver}>
              {t('sent.beginAnew')}
            </Button>
          </div>
        }
      >
        {t('sent.text')}
      </Alert>
    </div>
  );
}
