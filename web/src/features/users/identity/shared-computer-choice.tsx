import { useSyncExternalStore } from 'react';
import { loadSharedComputer } from '#lib/auth/load-shared-computer.ts';
import { createStore } from '#lib/browser/create-store.ts';
import { isSharedComputer, setSharedComputer } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';

const choice = createStore(undefined);

/** Asks before each way of signing in whether others use this computer too. Decision 0135. */
export function SharedComputerChoice() {
  const { t } = useTranslation('users');
  const isShared = useSyncExternalStore(choice.subscribe, isSharedComputer, () => false);
  return (
    <Checkbox
      isPlain
      name="sharedComputer"
      label={t('sharedComputer.label')}
      hint={t('sharedComputer.hint')}
      value={isShared}
      onChange={(next) => {
        setSharedComputer(next);
        if (next) void loadSharedComputer();
        choice.set(undefined);
      }}
    />
  );
}
