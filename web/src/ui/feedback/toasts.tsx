import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { dismissToast, toastDuration, useToasts, type Toast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '../actions/icon-button.tsx';

const toneStyles = {
  info: { icon: Info, style: 'border-s-blue-600', mark: 'text-blue-700' },
  success: { icon: CircleCheck, style: 'border-s-green-600', mark: 'text-green-700' },
  danger: { icon: CircleAlert, style: 'border-s-red-700', mark: 'text-red-700' },
};

/** A toast closes after its duration, unless it is hovered or focused. */
function ToastRow({ toast }: { toast: Toast }) {
  const { t } = useTranslation('shell');
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  const { icon: Icon, style, mark } = toneStyles[toast.tone];
  useEffect(() => {
    if (isPaused) return;
    const timer = window.setTimeout(() => dismissToast(toast.id), toastDuration);
    return () => window.clearTimeout(timer);
  }, [isPaused, toast]);
  return (
    <div
      data-surface
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
      className={classNames(
        'pointer-events-auto flex items-center gap-3 rounded-md border border-s-4',
        'border-ink-100 bg-white py-1 ps-4 pe-1 shadow-soft animate-rise',
        style,
      )}
    >
      <Icon aria-hidden size={22} className={`shrink-0 ${mark}`} />
      <p className="min-w-0 grow py-1">{toast.text}</p>
      <IconButton label={t('kit.close')} onPress={() => dismissToast(toast.id)}>
        <X aria-hidden size={18} />
      </IconButton>
    </div>
  );
}

/**
 * Toasts at the bottom right of the window in every language (specification §9), over everything else.
 * A `Dialog` leaves them room: `--toasts-room` is their height with the distance from the edge. Errors
 * interrupt a screen reader, other messages wait. The attribute keeps them readable while a dialog is
 * open.
 */
export function Toasts() {
  const { t } = useTranslation('shell');
  const toasts = useToasts();
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const room = toasts.length === 0 ? 0 : (section.current?.offsetHeight ?? 0) + 16;
    document.documentElement.style.setProperty('--toasts-room', `${room}px`);
  }, [toasts]);
  const rows = (isDanger: boolean) =>
    toasts
      .filter(({ tone }) => (tone === 'danger') === isDanger)
      .map((toast) => <ToastRow key={toast.id} toast={toast} />);
  return (
    <section
      ref={section}
      aria-label={t('kit.messages')}
      data-toasts
      data-react-aria-top-layer="true"
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-60 sm:left-auto sm:w-96"
    >
      <div role="alert" aria-relevant="additions" className="flex flex-col gap-2">
        {rows(true)}
      </div>
      <div role="status" aria-relevant="additions" className="mt-2 flex flex-col gap-2 empty:mt-0">
        {rows(false)}
      </div>
    </section>
  );
}
