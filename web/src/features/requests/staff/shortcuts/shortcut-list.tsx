import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { bulkStaffActions, staffActions, staffUseOf } from '@diwan/contract/requests/actions';
import { actionKeys, type ShortcutKey } from './shortcut-keys.ts';
import { setAreShortcutsOn, useAreShortcutsOn, useShortcuts } from './use-shortcuts.ts';

/** Also combinations, which the controls themselves handle. */
type ShownKey = ShortcutKey | 'Ctrl' | '⏎';

const everywhere: [ShownKey[], string][] = [[['?'], 'help']];
const pages = {
  list: [
    [['j', 'k'], 'rows'],
    [['x'], 'select'],
    ...bulkStaffActions.flatMap((action): [ShownKey[], string][] =>
      staffUseOf(action).hasBulkKey ? [[[actionKeys[action]], action]] : [],
    ),
    [['m'], 'mine'],
    [['/'], 'search'],
    ...everywhere,
  ],
  request: [
    ...staffActions.map((action): [ShownKey[], string] => [[actionKeys[action]], action]),
    [['o'], 'options'],
    [['z'], 'undo'],
    [['n'], 'next'],
    [['p'], 'previous'],
    [['b'], 'back'],
    [['[', ']'], 'documents'],
    [['j', 'k'], 'rows'],
    [['f'], 'flag'],
    [['Ctrl', '⏎'], 'send'],
    ...everywhere,
  ],
} satisfies Record<string, [ShownKey[], string][]>;

/**
 * A button, also opened by `?`, with the list of the page's shortcuts and the switch for all.
 * `className`: of its text, such as that of a narrow place.
 */
export function ShortcutList({
  page,
  className,
}: {
  page: keyof typeof pages;
  className?: string;
}) {
  const { t } = useTranslation('staff');
  const [isOpen, setIsOpen] = useState(false);
  const isOn = useAreShortcutsOn();
  useShortcuts({ '?': () => setIsOpen(true) });
  return (
    <span data-no-print className="max-md:hidden">
      <Button
        variant="quiet"
        size="sm"
        aria-keyshortcuts="?"
        icon={<Keyboard aria-hidden size={18} />}
        onPress={() => setIsOpen(true)}
      >
        <span className={className}>{t('shortcuts.title')}</span>
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t('shortcuts.title')}
        actions={<Button onPress={() => setIsOpen(false)}>{t('shortcuts.close')}</Button>}
      >
        <dl className="mb-4 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-2">
          {pages[page].map(([keys, name]) => (
            <div key={name} className="contents">
              <dt dir="ltr" className="flex gap-1">
                {keys.map((key) => (
                  <kbd
                    key={key}
                    className={classNames(
                      'min-w-8 rounded-sm border border-ink-300 bg-ink-50 px-2 text-center font-sans',
                      'text-sm font-semibold text-ink-800',
                    )}
                  >
                    {key.length === 1 ? key.toUpperCase() : key}
                  </kbd>
                ))}
              </dt>
              <dd>{t(`shortcuts.${page}.${name}`)}</dd>
            </div>
          ))}
        </dl>
        {page === 'list' ? (
          <p className="mb-4 text-sm text-ink-600">{t('shortcuts.enter')}</p>
        ) : null}
        <Checkbox
          isPlain
          label={t('shortcuts.on')}
          hint={t('shortcuts.onHint')}
          value={isOn}
          onChange={setAreShortcutsOn}
        />
      </Dialog>
    </span>
  );
}
