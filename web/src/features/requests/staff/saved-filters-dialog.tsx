import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  longestFilterName,
  type FilterChoice,
  type SavedFilter,
} from '@diwan/contract/requests/saved-filters';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { SavedFilterRow } from './saved-filter-row.tsx';
import { useFilterActions } from './saved-filters.data.ts';
import type { StaffListName } from './staff-lists.ts';

interface SavedFiltersDialogProps {
  list: StaffListName;
  saved: readonly SavedFilter[];
  /** Keeps the filter in force; otherwise those that there are can be changed. */
  isSaving: boolean;
  choice: FilterChoice;
  onClose: () => void;
}

/**
 * Keeps a filter under a name, or renames, opens the list with, and throws away those that there
 * are.
 */
export function SavedFiltersDialog(props: SavedFiltersDialogProps) {
  return props.isSaving ? <SaveDialog {...props} /> : <ManageDialog {...props} />;
}

function SaveDialog({ list, choice, onClose }: SavedFiltersDialogProps) {
  const { t } = useTranslation('staff');
  const { save } = useFilterActions();
  const [name, setName] = useState('');
  const [isDefault, setIsDefault] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const done = () => {
    showToast(t('saved.kept'), 'success');
    onClose();
  };
  const send = () => {
    setHasTried(true);
    if (name.trim() !== '' && !save.isPending)
      save.mutate({ body: { list, name, choice, isDefault } }, { onSuccess: done });
  };
  const error = save.error
    ? messageOf(save.error)
    : hasTried && name.trim() === ''
      ? t('saved.nameMissing')
      : undefined;
  return (
    <Dialog
      isOpen
      title={t('saved.save')}
      onClose={onClose}
      isBusy={save.isPending}
      actions={
        <>
          <Button isPending={save.isPending} onPress={send}>
            {t('saved.keep')}
          </Button>
          <Button variant="quiet" isDisabled={save.isPending} onPress={onClose}>
            {t('saved.cancel')}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className="text-ink-600">{t('saved.text')}</p>
        <TextField
          name="filterName"
          label={t('saved.name')}
          value={name}
          onChange={setName}
          maxLength={longestFilterName}
          dir="auto"
          error={error}
          focusIds={['FilterNameTaken']}
        />
        <Checkbox label={t('saved.default')} value={isDefault} onChange={setIsDefault} />
        <button type="submit" hidden>
          {t('saved.keep')}
        </button>
      </form>
    </Dialog>
  );
}

function ManageDialog({ saved, onClose }: SavedFiltersDialogProps) {
  const { t } = useTranslation('staff');
  const ready = useRef<HTMLButtonElement>(null);
  const before = useRef(saved.length);
  // What had the focus is gone with its filter; keys go on from the end of the dialog.
  useEffect(() => {
    if (saved.length < before.current) ready.current?.focus();
    before.current = saved.length;
  }, [saved.length]);
  return (
    <Dialog
      isOpen
      title={t('saved.manage')}
      onClose={onClose}
      actions={
        <Button ref={ready} onPress={onClose}>
          {t('saved.ready')}
        </Button>
      }
    >
      {saved.length === 0 ? <p className="text-ink-600">{t('saved.none')}</p> : null}
      <ul className="divide-y divide-ink-100">
        {saved.map((filter) => (
          <SavedFilterRow key={filter.id} filter={filter} />
        ))}
      </ul>
    </Dialog>
  );
}
