import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { Button } from '../../../ui/actions/button.tsx';
import { bulkActions, type BulkAction } from './bulk-actions.ts';
import { ShortcutHint } from './shortcut-hint.tsx';

const keys = { receive: 'e', release: 'l' } as const;

/** The selected ones of which each action is allowed. */
export function canDo(action: BulkAction, selected: readonly RequestSummary[]): RequestSummary[] {
  return selected.filter(({ allowedActions }) => allowedActions.includes(action));
}

interface StaffBulkBarProps {
  selected: readonly RequestSummary[];
  onAct: (action: BulkAction) => void;
  onClear: () => void;
}

/** What can be done with the rows that are selected, at one place at the bottom edge. */
export function StaffBulkBar({ selected, onAct, onClear }: StaffBulkBarProps) {
  const { t } = useTranslation('staff');
  return (
    <section
      data-no-print
      aria-label={t('bulk.bar')}
      className="sticky bottom-0 z-20 mt-6 flex flex-wrap items-center gap-2 rounded-t-lg border border-b-0 border-ink-200 bg-white px-4 py-3 shadow-soft md:gap-3"
    >
      <p role="status" className="me-auto font-semibold">
        {t('bulk.selected', { count: selected.length })}
      </p>
      {bulkActions.map((action, index) => {
        const count = canDo(action, selected).length;
        if (count === 0) return null;
        return (
          <Button
            key={action}
            variant={index === 0 ? 'primary' : 'secondary'}
            size="sm"
            aria-keyshortcuts={keys[action]}
            onPress={() => onAct(action)}
          >
            {t(`bulk.${action}.confirm`, { count })}
            <ShortcutHint of={keys[action]} />
          </Button>
        );
      })}
      <Button
        variant="quiet"
        size="sm"
        isIconOnPhone
        icon={<X aria-hidden size={18} />}
        onPress={onClear}
      >
        {t('bulk.clear')}
      </Button>
    </section>
  );
}
