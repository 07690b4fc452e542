import { useEffect, useRef } from 'react';
import { useToastHistory, useToasts } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { Moment } from '#ui/values/moment.tsx';

const edges = {
  info: 'border-s-blue-600',
  success: 'border-s-green-600',
  danger: 'border-s-red-700',
};

const firstToast = () => document.querySelector<HTMLElement>('[data-toasts] button');

/** F6 moves the focus to the messages and back. A focused message does not close automatically. */
function useToastShortcut(): void {
  const toasts = useToasts();
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInside = document.activeElement?.closest('[data-toasts]') !== null;
      if (isInside && (event.key === 'Escape' || event.key === 'F6')) before.current?.focus();
      else if (event.key === 'F6' && firstToast()) {
        before.current = document.activeElement as HTMLElement | null;
        firstToast()?.focus();
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    // A message that the keyboard closes loses the focus.
    if (document.activeElement !== document.body || !before.current) return;
    const next = toasts.length > 0 ? firstToast() : null;
    if (next) return next.focus();
    before.current.focus();
    before.current = null;
  }, [toasts]);
}

/** The last messages, which are shown for three seconds only, as a dialog. Design §11. */
export function MessageHistory({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const history = useToastHistory();
  useToastShortcut();
  return (
    <Dialog isOpen={isOpen} title={t('messagesLately')} onClose={onClose}>
      <ul>
        {history.map((toast) => (
          <li
            key={toast.id}
            className={`border-s-4 px-3 py-2 not-last:border-b not-last:border-b-ink-100 ${edges[toast.tone]}`}
          >
            <p>{toast.text}</p>
            <p className="text-sm text-ink-500">
              <Moment at={toast.at.toISOString()} as="time" />
            </p>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
