import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ArrowUpDown, ArrowUpToLine, Plus } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { orderAgencies } from '@diwan/contract/catalogue/agencies';
import type { orderCategories } from '@diwan/contract/catalogue/categories';
import type { orderAttachmentTypes } from '@diwan/contract/content/attachment-types';
import type { Call } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { Button } from '../actions/button.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { ErrorAlert } from '../feedback/alert.tsx';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';

interface OrderedRecord {
  id: number;
  name: LocalizedText;
  logo?: string;
  isRetired: boolean;
}

function move<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Puts records in the order in which people see them, by buttons, and saves it at the end. */
export function OrderDialog({
  records,
  call,
  reads,
  onClose,
}: {
  records: readonly OrderedRecord[];
  call: typeof orderAgencies | typeof orderCategories | typeof orderAttachmentTypes;
  /** The calls whose answers have the order. */
  reads: readonly { name: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation('catalogue');
  const client = useQueryClient();
  const save = useAction(call, {
    skipErrorHandling: true,
    onSuccess: () => {
      for (const { name } of reads) void client.invalidateQueries({ queryKey: [name] });
      showToast(t('order.saved'), 'success');
      onClose();
    },
  });
  const { language } = useLanguage();
  const [ordered, setOrdered] = useState(records);
  const [moved, setMoved] = useState('');
  // A new object for each move, so that the focus follows each.
  const [last, setLast] = useState<{ id: number }>();
  const list = useRef<HTMLOListElement>(null);
  const isChanged = ordered.some(({ id }, index) => id !== records[index]?.id);
  const moveTo = (from: number, to: number) => {
    const record = ordered[from];
    if (!record) return;
    save.reset();
    setOrdered(move(ordered, from, to));
    setMoved(
      t('order.movedTo', {
        name: record.name[language],
        place: to + 1,
        count: ordered.length,
      }),
    );
    setLast({ id: record.id });
  };
  // A row that moves loses the focus, and a button at an end of the list is disabled.
  useLayoutEffect(() => {
    const row = list.current?.querySelector(`[data-record="${last?.id}"]`);
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
          <li key={id} data-record={id} className="flex items-center gap-3 py-1">
            <span className="w-6 shrink-0 text-sm text-ink-500 tabular-nums">{index + 1}</span>
            {logo ? (
              <img src={logo} alt="" width={24} height={24} className="size-6 shrink-0" />
            ) : null}
            <span className="min-w-0 grow">
              <span>{name[language]}</span>
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

/** Above a list of ordered records: adds one, or opens the dialog that puts them in order. */
export function OrderedListActions({
  addLabel,
  calls,
  count,
  onOpen,
  children,
}: {
  addLabel: string;
  calls: Record<'save' | 'order', Pick<Call, 'who'>>;
  /** Of the records; two or more have an order. */
  count: number;
  onOpen: (dialog: 'new' | 'order') => void;
  children?: ReactNode;
}) {
  const { t } = useTranslation('catalogue');
  return (
    <div className="flex flex-wrap gap-3">
      <Button call={calls.save} icon={<Plus aria-hidden size={18} />} onPress={() => onOpen('new')}>
        {addLabel}
      </Button>
      {count > 1 ? (
        <Button
          call={calls.order}
          variant="secondary"
          icon={<ArrowUpDown aria-hidden size={18} />}
          onPress={() => onOpen('order')}
        >
          {t('order.open')}
        </Button>
      ) : null}
      {children}
    </div>
  );
}
