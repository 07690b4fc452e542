import { Check, Pencil, Star, Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { messageOf } from '#lib/api/handle-error.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  maximumFilterNameLength,
  type FilterChoice,
  type SavedFilter,
} from '@diwan/contract/requests/saved-filters';
import { focusOnMount } from './focus-on-mount.ts';
import { useFilterActions } from './saved-filters.data.ts';
import type { StaffListName } from './staff-lists.ts';

interface SavedFiltersDialogProps {
  list: StaffListName;
  saved: readonly SavedFilter[];
  /** Saves the active filter; otherwise the dialog lists the saved filters. */
  isSaving: boolean;
  choice: FilterChoice;
  onClose: () => void;
}

/** Saves the active filter under a name, or renames, deletes and sets the default of saved filters. */
export function SavedFiltersDialog(props: SavedFiltersDialogProps) {
  return props.isSaving ? <SaveDialog {...props} /> : <ManageDialog {...props} />;
}

function SaveDialog({ list, choice, onClose }: SavedFiltersDialogProps) {
  const { t } = useTranslation('staff');
  const { save } = useFilterActions();
  const form = useForm({ defaultValues: { filterName: '', isDefault: false } });
  const done = () => {
    showToast(t('saved.kept'), 'success');
    onClose();
  };
  return (
    <FormDialog
      form={form}
      title={t('saved.save')}
      submitLabel={t('saved.keep')}
      cancelLabel={t('saved.cancel')}
      isPending={save.isPending}
      error={save.error}
      fieldOfError={() => 'filterName'}
      onResetError={save.reset}
      onSubmit={({ filterName: name, isDefault }) =>
        save.mutate({ body: { list, name, choice, isDefault } }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <p className="text-ink-600">{t('saved.text')}</p>
      <FormField
        control={form.control}
        name="filterName"
        validate={(name) => (name.trim() === '' ? t('saved.nameMissing') : undefined)}
      >
        {(field) => (
          <TextField
            {...field}
            label={t('saved.name')}
            maxLength={maximumFilterNameLength}
            dir="auto"
            focusIds={['FilterNameTaken']}
          />
        )}
      </FormField>
      <FormField control={form.control} name="isDefault">
        {(field) => <Checkbox {...field} label={t('saved.default')} />}
      </FormField>
    </FormDialog>
  );
}

function ManageDialog({ saved, onClose }: SavedFiltersDialogProps) {
  const { t } = useTranslation('staff');
  const closeButton = useRef<HTMLButtonElement>(null);
  const lastCount = useRef(saved.length);
  // Deleting a filter removes the focused button, so the focus moves to the close button.
  useEffect(() => {
    if (saved.length < lastCount.current) closeButton.current?.focus();
    lastCount.current = saved.length;
  }, [saved.length]);
  return (
    <Dialog
      isOpen
      title={t('saved.manage')}
      onClose={onClose}
      actions={
        <Button ref={closeButton} onPress={onClose}>
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

/** One saved filter with its actions. Deleting asks for confirmation in the same row. */
function SavedFilterRow({ filter }: { filter: SavedFilter }) {
  const { t } = useTranslation('staff');
  const { change, remove } = useFilterActions();
  const [name, setName] = useState<string>();
  const [isConfirmingDelete, setIsLeaving] = useState(false);
  const { id, isDefault } = filter;
  const error = change.error ?? remove.error;
  const isBusy = change.isPending || remove.isPending;
  const rename = () => {
    if (name !== undefined && name.trim() !== '' && !isBusy)
      change.mutate({ body: { id, name } }, { onSuccess: () => setName(undefined) });
  };
  if (name !== undefined) {
    return (
      <li className="py-3">
        <form
          className="flex items-end gap-1"
          onSubmit={(event) => {
            event.preventDefault();
            rename();
          }}
        >
          <div className="min-w-0 grow">
            <TextField
              label={t('saved.name')}
              value={name}
              onChange={setName}
              maxLength={maximumFilterNameLength}
              dir="auto"
              error={error ? messageOf(error) : undefined}
            />
          </div>
          <IconButton
            label={t('saved.rename')}
            isDisabled={name.trim() === '' || isBusy}
            onPress={rename}
          >
            <Check aria-hidden size={20} />
          </IconButton>
          <IconButton
            label={t('saved.cancel')}
            onPress={() => {
              change.reset();
              setName(undefined);
            }}
          >
            <X aria-hidden size={20} />
          </IconButton>
        </form>
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-1 py-2">
      <span className="min-w-0 grow basis-32 wrap-anywhere">
        <bdi className="font-semibold">{filter.name}</bdi>
        {isDefault ? (
          <span className="block text-sm text-ink-500">{t('saved.isDefault')}</span>
        ) : null}
      </span>
      <IconButton
        label={t('saved.renameName', { name: filter.name })}
        isDisabled={isBusy}
        onPress={() => setName(filter.name)}
      >
        <Pencil aria-hidden size={18} />
      </IconButton>
      <IconButton
        label={t('saved.defaultName', { name: filter.name })}
        aria-pressed={isDefault}
        isDisabled={isBusy}
        onPress={() => change.mutate({ body: { id, isDefault: !isDefault } })}
      >
        <Star
          aria-hidden
          size={18}
          className={isDefault ? 'fill-gold-600 text-gold-700' : undefined}
        />
      </IconButton>
      {isConfirmingDelete ? (
        <>
          <IconButton
            label={t('saved.reallyDelete', { name: filter.name })}
            isDisabled={isBusy}
            ref={focusOnMount}
            onPress={() => remove.mutate({ body: { id } })}
          >
            <Check aria-hidden size={20} className="text-red-700" />
          </IconButton>
          <IconButton label={t('saved.cancel')} onPress={() => setIsLeaving(false)}>
            <X aria-hidden size={20} />
          </IconButton>
        </>
      ) : (
        <IconButton
          label={t('saved.deleteName', { name: filter.name })}
          isDisabled={isBusy}
          onPress={() => setIsLeaving(true)}
        >
          <Trash2 aria-hidden size={18} />
        </IconButton>
      )}
      <span aria-live="polite" className="basis-full text-sm text-red-700">
        {isConfirmingDelete
          ? t('saved.reallyDelete', { name: filter.name })
          : error
            ? messageOf(error)
            : ''}
      </span>
    </li>
  );
}
