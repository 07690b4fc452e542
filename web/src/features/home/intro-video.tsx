import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { urlExists } from '#lib/api/send.ts';
import { isIdentityRefused } from '#lib/auth/identity-return.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { hasInteracted } from '#lib/browser/interaction.ts';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';

/**
 * The address of a video in a format that the browser plays; undefined when the file does not
 * exist. Created by `tools/assets/make-videos.mjs`.
 */
export async function findVideo(name: 'background' | 'intro'): Promise<string | undefined> {
  const kind =
    document.createElement('video').canPlayType('video/webm; codecs="vp9"') === '' ? 'mp4' : 'webm';
  const address = `/videos/${name}.${kind}`;
  return (await urlExists(address)) ? address : undefined;
}

const visitedKey = 'homeVisited';
/** The limit for a video that does not play; it lasts 4.5 seconds. */
const maximumMs = 7000;

/** After this time visitors have begun to read. */
const introWindowMs = 3000;

function isEarly(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return performance.now() - (navigation?.loadEventEnd ?? 0) < introWindowMs;
}

/**
 * Whether the visitor has not interacted yet: no key, press, scroll or focus, the page is visible,
 * and no sign-in with UAE PASS was just refused.
 */
function isUntouched(): boolean {
  const focused = document.activeElement;
  return (
    !hasInteracted() &&
    window.scrollY === 0 &&
    document.visibilityState === 'visible' &&
    (focused === null || focused === document.body || focused.matches('h1')) &&
    !isIdentityRefused()
  );
}

/**
 * The intro video, once per session over the loaded page. It closes at its end, by the button or by
 * Escape. Source: specification §2.
 */
export function IntroVideo() {
  const { t } = useTranslation('home');
  const { t: shell } = useTranslation('shell');
  const dialog = useRef<HTMLDialogElement>(null);
  const [source, setSource] = useState<string>();
  useEffect(() => {
    if (loadItem('session', visitedKey) !== null) return;
    storeItem('session', visitedKey, 'yes');
    if (isUntouched()) void findVideo('intro').then(setSource);
  }, []);
  if (source === undefined) return null;
  const close = () => dialog.current?.close();
  const start = (video: HTMLVideoElement) => {
    if (dialog.current?.open) return;
    if (!isUntouched() || !isEarly()) return setSource(undefined);
    dialog.current?.showModal();
    video.play().catch(close);
    setTimeout(close, maximumMs);
  };
  return (
    <dialog
      ref={dialog}
      aria-label={t('intro.label')}
      onClose={() => setSource(undefined)}
      className={classNames(
        'fixed inset-0 m-0 size-full max-h-none max-w-none overflow-hidden',
        'bg-desert-50 text-ink-900 open:animate-enter',
      )}
    >
      {/* First in the dialog, so that it gets the focus. */}
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
        onCanPlayThrough={(event) => start(event.currentTarget)}
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
