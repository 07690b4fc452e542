import {
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

const key = 'requests-split';
const minimumShare = 30;
const maximumShare = 65;
const initialShare = 42;

const clampShare = (share: number) =>
  Math.round(Math.min(maximumShare, Math.max(minimumShare, share)));

/**
 * Two columns with a movable separator on a wide screen, with `after` below the first one. A phone
 * and paper show the parts one below the other. The width of the columns is stored on this device.
 */
export function SplitView({
  start,
  end,
  after,
}: {
  start: ReactNode;
  end: ReactNode;
  after: ReactNode;
}) {
  const { t } = useTranslation('staff');
  const { direction } = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() =>
    clampShare(Number(loadItem('local', key)) || initialShare),
  );
  const change = (wanted: number) => {
    setShare(clampShare(wanted));
    storeItem('local', key, String(clampShare(wanted)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    change(share + 2 * step * (direction === 'rtl' ? -1 : 1));
  };
  const onPointerMove = ({ buttons, clientX }: PointerEvent) => {
    const bounds = box.current?.getBoundingClientRect();
    if (buttons !== 1 || !bounds) return;
    change(
      (100 * (direction === 'rtl' ? bounds.right - clientX : clientX - bounds.left)) / bounds.width,
    );
  };
  return (
    <div
      ref={box}
      className={classNames(
        'flex flex-col gap-6 lg:not-print:grid',
        'lg:not-print:grid-cols-[minmax(0,var(--split))_1.5rem_minmax(0,1fr)]',
        'lg:not-print:grid-rows-[auto_1fr] lg:not-print:gap-x-0',
      )}
      style={{ '--split': `${share}%` } as CSSProperties}
    >
      <div className="min-w-0">{start}</div>
      {/* A focusable separator is a widget (ARIA 1.2). */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('viewer.split')}
        aria-valuenow={share}
        aria-valuemin={minimumShare}
        aria-valuemax={maximumShare}
        tabIndex={0}
        data-no-print
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onDoubleClick={() => change(initialShare)}
        className="group row-span-2 hidden cursor-col-resize touch-none justify-center rounded-md lg:flex"
      >
        <span
          className={classNames(
            'sticky top-[40dvh] h-16 w-1 rounded-full bg-ink-200 transition-colors duration-150',
            'group-hover:bg-gold-600 group-focus-visible:bg-gold-600 group-active:bg-gold-600',
          )}
        />
      </div>
      <div className="min-w-0 lg:not-print:row-span-2">{end}</div>
      <div className="min-w-0">{after}</div>
    </div>
  );
}
