import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '../actions/button.tsx';
import { Alert } from '../feedback/alert.tsx';

/** A field that two people changed, with both values in words. */
export interface ConflictField {
  label: string;
  mine: ReactNode;
  theirs: ReactNode;
}

/**
 * Shown after `RecordHasChanged`, when the page has read the record again: the fields that differ,
 * with the person's own value and the saved one. `onKeepMine` saves the own values over the new
 * version; `onTakeTheirs` puts the saved values into the form.
 */
export function ConflictChoice({
  fields,
  onKeepMine,
  onTakeTheirs,
  isPending,
  by,
  isUndoable,
}: {
  fields: readonly ConflictField[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  isPending?: boolean;
  /** Who saved the other version. */
  by?: string | undefined;
  /** Whether undo brings back what was not chosen. */
  isUndoable?: boolean;
}) {
  const { t } = useTranslation('changes');
  return (
    <Alert
      tone="warning"
      isLive
      title={t('conflict.title')}
      action={
        <>
          <Button size="sm" onPress={onKeepMine} isPending={isPending}>
            {t('conflict.keepMine')}
          </Button>
          <Button size="sm" variant="secondary" onPress={onTakeTheirs} isDisabled={isPending}>
            {t('conflict.takeTheirs')}
          </Button>
        </>
      }
    >
      {by ? (
        <p>
          {t('conflict.by')} <bdi>{by}</bdi>
        </p>
      ) : null}
      {isUndoable ? <p>{t('conflict.undo')}</p> : null}
      <dl className="mt-2 flex flex-col gap-3 text-sm">
        {fields.map(({ label, mine, theirs }) => (
          <div key={label}>
            <dt className="font-semibold">{label}</dt>
            <dd>
              {t('conflict.mine')} <bdi>{mine}</bdi>
            </dd>
            <dd>
              {t('conflict.theirs')} <bdi>{theirs}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  );
}
