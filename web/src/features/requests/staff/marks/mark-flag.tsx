import { Check, Flag, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { useReasons } from '#features/requests/data/requests.data.ts';
import type { MarkTarget } from '#features/requests/record/mark-controls.tsx';
import { classNames } from '#lib/browser/class-names.ts';
import { focusSoon } from '#lib/browser/focus-on.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { useCloseWatcher } from '#ui/feedback/close-watcher.ts';
import { popoverStyle } from '#ui/forms/list-option.tsx';
import { messageNameOf } from '#ui/forms/message-fields.tsx';
import { markKey } from '@diwan/contract/requests/return-marks';
import type { Language } from '@diwan/contract/wire/languages';
import { ownWords, reasonsForMark, type DraftMark } from './draft-marks.ts';

const removal = 'remove';

interface MarkFlagProps {
  requestId: number;
  target: MarkTarget;
  title: string;
  mark: DraftMark | undefined;
  isDisabled: boolean;
  /** Whether the menu is open. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Prefix of the field names of the reason. */
  prefix: string;
  /** The language in which a text of one's own is written first. */
  reader: Language;
  /** Marks the target with a prepared reason, or with `ownWords`. */
  onMark: (target: MarkTarget, reasonId: string) => void;
  onRemove: (target: MarkTarget) => void;
}

/**
 * The flag of an answer or a document: a menu with the prepared reasons, a text of one's own, and
 * the removal of the mark.
 */
export function MarkFlag({
  requestId,
  target,
  title,
  mark,
  isDisabled,
  isOpen,
  onOpenChange,
  prefix,
  reader,
  onMark,
  onRemove,
}: MarkFlagProps) {
  const { t } = useTranslation('returns');
  const trigger = useRef<HTMLSpanElement>(null);
  const reasons = reasonsForMark(useReasons([requestId]).data, target, mark?.reasonId);
  const key = markKey(target);
  const isWriting = useRef(false);
  // The field appears with the mark. The menu returns the focus to the flag first.
  useEffect(() => {
    if (isOpen || !isWriting.current) return;
    isWriting.current = false;
    focusSoon(`${prefix}${key}:${messageNameOf[reader]}`);
  }, [isOpen, prefix, key, reader]);
  const label = t(mark ? 'marks.markedName' : 'marks.markName', { title });
  const selected = mark && (mark.hasOwnWords && mark.reasonId === '' ? ownWords : mark.reasonId);
  const items = [
    ...reasons.map(({ id, name }) => ({ id: String(id), name })),
    { id: ownWords, name: t('marks.ownWords') },
    ...(mark ? [{ id: removal, name: t('marks.remove') }] : []),
  ];
  useCloseWatcher(isOpen, () => onOpenChange(false));
  const choose = (id: string) => {
    onOpenChange(false);
    if (id === removal) return onRemove(target);
    isWriting.current = id === ownWords;
    onMark(target, id);
  };
  return (
    <span
      ref={trigger}
      data-no-print
      data-mark={key}
      className={classNames('-my-2.5 flex rounded-md', mark && 'bg-amber-100')}
    >
      <IconButton
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-mark-flag={mark ? 'marked' : 'unmarked'}
        isDisabled={isDisabled && !mark}
        onPress={() => onOpenChange(true)}
      >
        <Flag
          aria-hidden
          size={18}
          className={mark ? 'text-amber-800' : undefined}
          fill={mark ? 'currentColor' : 'none'}
        />
      </IconButton>
      <Popover
        trigger="MenuTrigger"
        triggerRef={trigger}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        placement="bottom end"
        aria-label={label}
        className={popoverStyle}
      >
        {/* The menu gets the focus when it opens and returns it when it closes. */}
        <Menu
          autoFocus="first"
          aria-label={label}
          onAction={(id) => choose(String(id))}
          className="max-h-96 max-w-96 overflow-auto outline-none"
        >
          {items.map(({ id, name }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={name}
              aria-current={id === selected ? 'true' : undefined}
              className={classNames(
                'flex min-h-10 cursor-pointer items-center justify-between gap-3 rounded-md px-3 py-1.5',
                'leading-(--leading-control) outline-none data-focused:bg-gold-50',
                'data-focused:text-gold-800',
                id === selected && 'font-semibold',
                id === removal && 'border-t border-ink-100 text-red-700',
              )}
            >
              <span className="min-w-0">{name}</span>
              {id === selected ? <Check aria-hidden size={18} className="shrink-0" /> : null}
              {id === removal ? <X aria-hidden size={18} className="shrink-0" /> : null}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </span>
  );
}
