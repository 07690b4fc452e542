import { Check, CircleAlert, Undo2, X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { detailsLink } from '#features/requests/data/details-link.ts';
import {
  usePendingActions,
  useRemovePendingAction,
} from '#features/requests/data/pending-actions.data.ts';
import { useStoreRecord } from '#features/requests/data/requests.data.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { useAction } from '#lib/api/use-call.ts';
import { createStore, useStore } from '#lib/browser/create-store.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { dismissFailedAction, undoAction } from '@diwan/contract/processing/pending-actions';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';

/** What was done last, said in the bar, where it covers no next step as a toast would. */
const said = createStore({ text: '', isProblem: false });
const saidMs = 6000;

export function sayInBar(text: string, { isProblem = false } = {}): void {
  said.set({ text, isProblem });
}

interface UndoBarProps {
  list: string;
  /** Called with the record after an action on it was undone. */
  onUndone: (record: RequestRecord) => void;
}

/**
 * The actions that take effect in some seconds, with a button that takes them back, and those that
 * failed. It stays the same from one request to the next.
 */
export function UndoBar({ list, onUndone }: UndoBarProps) {
  const { t } = useTranslation(['staff', 'requests']);
  const { waiting, failed, reload } = usePendingActions();
  const storeRecord = useStoreRecord();
  const removePendingAction = useRemovePendingAction();
  const undo = useAction(undoAction, {
    skipErrorHandling: true,
    onSuccess(record) {
      storeRecord(record);
      removePendingAction(record.requestId);
      sayInBar(t('undo.undone'));
      onUndone(record);
    },
    onError(error) {
      sayInBar(messageOf(error), { isProblem: true });
      void reload();
    },
  });
  const dismiss = useAction(dismissFailedAction, { onSuccess: () => reload() });
  const last = useStore(said);
  const pending = waiting.at(-1);
  useEffect(() => {
    if (last.text === '') return;
    const timer = setTimeout(() => sayInBar(''), saidMs);
    return () => clearTimeout(timer);
  }, [last]);
  const undoLast = () => {
    if (!pending || undo.isPending) return false;
    const { requestId, version } = pending;
    sayInBar('');
    undo.mutate({ body: { requestId, version } });
    return true;
  };
  useShortcuts({ z: pending ? undoLast : undefined });
  const Sign = last.isProblem ? CircleAlert : Check;
  return (
    <>
      {failed.map(({ heldActionId, requestNumber, failure }) => (
        <Line
          key={heldActionId}
          tone="danger"
          icon={<CircleAlert aria-hidden size={18} className="shrink-0" />}
          end={
            <IconButton
              label={t('undo.dismiss')}
              onPress={() => dismiss.mutate({ body: { heldActionId } })}
            >
              <X aria-hidden size={18} />
            </IconButton>
          }
        >
          <strong>{t('requests:faster.failed')}</strong>{' '}
          <Link {...detailsLink(requestNumber, list)} className="underline">
            <Reference>{requestNumber}</Reference>
          </Link>{' '}
          <span>{failure}</span>
        </Line>
      ))}
      <div role="status">
        {pending ? (
          <Line
            tone="done"
            icon={<Check aria-hidden size={18} className="shrink-0" />}
            end={
              <Button
                variant="secondary"
                size="sm"
                aria-keyshortcuts="z"
                icon={<Undo2 aria-hidden size={18} className="mirror" />}
                isPending={undo.isPending}
                onPress={undoLast}
              >
                {t('undo.undo')}
                <ShortcutHint of="z" />
              </Button>
            }
          >
            <strong>{t(`requests:actions.done.${pending.action}`)}</strong>{' '}
            <Reference>{pending.requestNumber}</Reference>{' '}
            <span aria-hidden className="text-ink-600 max-sm:block">
              {pending.seconds > 0
                ? t('undo.seconds', { seconds: pending.seconds })
                : t('undo.now')}
            </span>
          </Line>
        ) : null}
        {last.text === '' ? null : (
          <Line
            tone={last.isProblem ? 'danger' : 'done'}
            icon={<Sign aria-hidden size={18} className="shrink-0" />}
          >
            {last.text}
          </Line>
        )}
      </div>
    </>
  );
}

function Line({
  tone,
  icon,
  end,
  children,
}: {
  tone: 'done' | 'danger';
  icon: ReactNode;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      data-bar-line={tone}
      className={
        tone === 'danger'
          ? 'border-b border-red-200 bg-red-50 text-red-800'
          : 'border-b border-green-200 bg-green-50 text-ink-800'
      }
    >
      <div className="page flex min-h-11 items-center gap-3 py-1 text-sm xl:max-w-[100rem]!">
        <span className={tone === 'done' ? 'text-green-700' : undefined}>{icon}</span>
        <p className="min-w-0 grow">{children}</p>
        {end}
      </div>
    </div>
  );
}
