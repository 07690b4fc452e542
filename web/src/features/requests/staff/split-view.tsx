import {
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { recall, remember } from '../../../lib/browser/browser-memory.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';

const key = 'requests-split';
const least = 30;
const most = 65;
const usual = 42;

const within = (share: number) => Math.round(Math.min(most, Math.max(least, share)));

/**
 * Two parts side by side on a desk, the first as wide as the person likes and with what comes after
 * it below; one after the other on a phone and on paper.
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
  const [share, setShare] = useState(() => within(Number(recall('local', key)) || usual));
  const change = (wanted: number) => {
    setShare(within(wanted));
    remember('local', key, String(within(wanted)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const towards = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (towards === undefined) return;
    event.preventDefault();
    change(share + 2 * towards * (direction === 'rtl' ? -1 : 1));
  };
  const onPointerMove = ({ buttons, clientX }: PointerEvent) => {
    const place = box.current?.getBoundingClientRect();
    if (buttons !== 1 || !place) return;
    change(
      (100 * (direction === 'rtl' ? place.right - clientX : clientX - place.left)) / place.width,
    );
  };
  return (
    <div
      ref={box}
      className="flex flex-col gap-6 lg:not-print:grid lg:not-print:grid-cols-[minmax(0,var(--split))_1.5rem_minmax(0,1fr)] lg:not-print:grid-rows-[auto_1fr] lg:not-print:gap-x-0"
      style={{ '--split': `${share}%` } as CSSProperties}
    >
      <div className="min-w-0">{start}</div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={t('viewer.split')}
        aria-valuenow={share}
        aria-valuemin={least}
        aria-valuemax={most}
        tabIndex={0}
        data-no-print
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onDoubleClick={() => change(usual)}
        className="group row-span-2 hidden cursor-col-resize touch-none justify-center rounded-md lg:flex"
      >
        <span className="sticky top-[40dvh] h-16 w-1 rounded-full bg-ink-200 transition-colors duration-150 group-hover:bg-gold-600 group-focus-visible:bg-gold-600 group-active:bg-gold-600" />
      </div>
      <div className="min-w-0 lg:not-print:row-span-2">{end}</div>
      <div className="min-w-0">{after}</div>
    </div>
  );
}
