import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { recall, remember } from '../../lib/browser/browser-memory.ts';
import { isIdentityRefused } from '../../lib/auth/identity-return.ts';
import { hasActed } from '../../lib/browser/when-quiet.ts';
import { Button } from '../../ui/actions/button.tsx';
import { findVideo } from './find-video.ts';

const visitedKey = 'homeVisited';
/** A video that stands still must not keep anybody out; it lasts four and a half seconds. */
const longest = 7000;

/** After that people have begun to read. */
const soonEnough = 3000;

function isSoon(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return performance.now() - (navigation?.loadEventEnd ?? 0) < soonEnough;
}

/**
 * Nobody is interrupted: not who has pressed a key or a button, scrolled, moved the focus or gone
 * elsewhere, and not who has just come back from UAE PASS.
 */
function isUntouched(): boolean {
  const focused = document.activeElement;
  return (
    !hasActed() &&
    window.scrollY === 0 &&
    document.visibilityState === 'visible' &&
    (focused === null || focused === document.body || focused.matches('h1')) &&
    !isIdentityRefused()
  );
}

/**
 * Once a session, over the page that is already whole; it goes at its end, by Close or by Escape.
 * Source: specification §2.
 */
export function IntroVideo() {
  const { t } = useTranslation('home');
  const { t: shell } = useTranslation('shell');
  const dialog = useRef<HTMLDialogElement>(null);
  const [source, setSource] = useState<string>();
  useEffect(() => {
    if (recall('session', visitedKey) !== null) return;
    remember('session', visitedKey, 'yes');
    if (isUntouched()) void findVideo('intro').then(setSource);
  }, []);
  if (source === undefined) return null;
  const close = () => dialog.current?.close();
  const begin = (video: HTMLVideoElement) => {
    if (dialog.current?.open) return;
    if (!isUntouched() || !isSoon()) return setSource(undefined);
    dialog.current?.showModal();
    video.play().catch(close);
    setTimeout(close, longest);
  };
  return (
    <dialog
      ref={dialog}
      aria-label={t('intro.label')}
      onClose={() => setSource(undefined)}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none overflow-hidden bg-desert-50 text-ink-900 open:animate-enter"
    >
      {/* First, so that the focus goes there. */}
      <div className="absolute end-4 top-4 z-10">
        <Button variant="secondary" icon={<X aria-hidden size={20} />} onPress={close}>
          {t('intro.close')}
        </Button>
      </div>
      <video
        src={source}
        muted
        playsInline
        disablePictureInPicture
        preload="auto"
        aria-hidden
        tabIndex={-1}
        onCanPlayThrough={(event) => begin(event.currentTarget)}
        onEnded={close}
        onError={close}
        className="absolute inset-0 size-full object-cover"
      />
      <div className="absolute inset-x-0 bottom-[12%] flex justify-center px-4">
        <p className="flex flex-col items-center rounded-lg bg-desert-50/90 px-8 py-3 text-center">
          <span className="font-heading text-3xl leading-(--leading-heading) font-bold">
            {shell('wordmark')}
          </span>
          <span className="text-ink-600">{shell('portal')}</span>
        </p>
      </div>
    </dialog>
  );
}
