import { ArrowDown, ArrowUp, ArrowUpToLine } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { GroupRecord } from '@diwan/contract/catalogue/groups';
import { useAction } from '../../../lib/api/use-call.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { ErrorAlert } from '../../../ui/feedback/alert.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { groupCalls, type GroupKind } from './group-calls.ts';

function move<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Puts groups in the order in which visitors see them, by buttons; saved at once at the end. */
export function GroupOrderDialog({
  kind,
  groups,
  onClose,
}: {
  kind: GroupKind;
  groups: readonly GroupRecord[];
  onClose: () => void;
}) {
  const { t } = useTranslation('catalogue');
  const { language } = useLanguage();
  const client = useQueryClient();
  const [ordered, setOrdered] = useState(groups);
  const [moved, setMoved] = useState('');
  // A new object for each move, so that the focus follows each.
  const [last, setLast] = useState<{ id: number }>();
  const list = useRef<HTMLOListElement>(null);
  const { read, order, changes } = groupCalls[kind];
  const save = useAction(order, {
    skipErrorHandling: true,
    onSuccess: () => {
      for (const call of [read, changes]) void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('order.saved'), 'success');
      onClose();
    },
  });
  const isChanged = ordered.some(({ id }, index) => id !== groups[index]?.id);
  const moveTo = (from: number, to: number) => {
    const group = ordered[from];
    if (!group) return;
    save.reset();
    setOrdered(move(ordered, from, to));
    setMoved(
      t('order.movedTo', {
        name: group.name[language],
        place: to + 1,
        count: ordered.length,
      }),
    );
    setLast({ id: group.id });
  };
  // A row that moves loses the focus, and a button at an end of the list is disabled.
  useLayoutEffect(() => {
    const row = list.current?.querySelector(`[data-group="${last?.id}"]`);
    if (row && !row.querySelector('button:enabled:focus'))
      row.querySelector<HTMLButtonElement>('button:enabled')?.focus();
  }, [last]);
  return (
    <ConfirmDialog
      title={t('order.title')}
      confirmLabel={t('order.save')}
      cancelLabel={t('cancel')}
      isPending={save.isPending}
      isDisabled={!isChanged}
      onConfirm={() => save.mutate({ body: { ids: ordered.map(({ id }) => id) } })}
      onClose={onClose}
    >
      <p className="pb-4 text-ink-600">{t('order.lead')}</p>
      <ErrorAlert error={save.error} title={t('failed')} />
      <p role="status" className="sr-only">
        {moved}
      </p>
      <ol ref={list} className="divide-y divide-ink-100">
        {ordered.map(({ id, name, logo, isRetired }, index) => (
          <li key={id} data-group={id} className="flex items-center gap-3 py-1">
            <span className="w-6 shrink-0 text-sm text-ink-500 tabular-nums">{index + 1}</span>
            <img src={logo} alt="" width={24} height={24} className="size-6 shrink-0" />
            <span className="min-w-0 grow">
              {name[language]}
              {isRetired ? <span className="text-sm text-ink-500"> ({t('retired')})</span> : null}
            </span>
            <span className="flex shrink-0">
              <IconButton
                label={t('order.first', { name: name[language] })}
                isDisabled={index === 0}
                onPress={() => moveTo(index, 0)}
              >
                <ArrowUpToLine aria-hidden size={18} />
              </IconButton>
              <IconButton
                label={t('order.up', { name: name[language] })}
                isDisabled={index === 0}
                onPress={() => moveTo(index, index - 1)}
              >
                <ArrowUp aria-hidden size={18} />
              </IconButton>
              <IconButton
                label={t('order.down', { name: name[language] })}
                isDisabled={index === ordered.length - 1}
                onPress={() => moveTo(index, index + 1)}
              >
                <ArrowDown aria-hidden size={18} />
              </IconButton>
            </span>
          </li>
        ))}
      </ol>
    </ConfirmDialog>
  );
}
