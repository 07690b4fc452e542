import { Check, Pencil, Star, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestFilterName, type SavedFilter } from '@diwan/contract/requests/saved-filters';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { focusWhenShown } from '../record/focus-when-shown.ts';
import { useFilterActions } from './saved-filters.data.ts';

/** One saved filter with what can be done with it; to throw it away is asked twice, in place. */
export function SavedFilterRow({ filter }: { filter: SavedFilter }) {
  const { t } = useTranslation('staff');
  const { change, remove } = useFilterActions();
  const [name, setName] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);
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
              maxLength={longestFilterName}
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
      {isLeaving ? (
        <>
          <IconButton
            label={t('saved.reallyDelete', { name: filter.name })}
            isDisabled={isBusy}
            ref={focusWhenShown}
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
        {isLeaving ? t('saved.reallyDelete', { name: filter.name }) : error ? messageOf(error) : ''}
      </span>
    </li>
  );
}
