import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { urlExists } from '#lib/api/send.ts';
import { isIdentityRefused } from '#lib/auth/identity-return.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { countInteractions } from '#lib/browser/interaction.ts';
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

/** A video that is not ready by then is not shown, because visitors have begun to read. */
const introWindowMs = 3000;

/**
 * Whether the visitor has not interacted with the page yet: no key, press, scroll or focus, the page
 * is visible, and no sign-in with UAE PASS was just refused. `before`: the interactions on the way to
 * the page.
 */
function isUntouched(before: number): boolean {
  const focused = document.activeElement;
  return (
    countInteractions() === before &&
    window.scrollY === 0 &&
    document.visibilityState === 'visible' &&
    (focused === null || focused === document.body || focused.matches('h1')) &&
    !isIdentityRefused()
  );
}

/**
 * The intro video, once per session over the loaded page. It closes at its end, by the button or by
 * Escape. A visit that did not show it, because the video came late or the visitor had begun to use
 * the page, does not count. Not a modal dialog of the browser: it would cover the toast that says why
 * the visitor is here. Source: specification §2, §6.
 */
export function IntroVideo({
  interactions,
  onEnd,
}: {
  interactions: number;
  /** It is over, or is not shown at this visit. */
  onEnd: () => void;
}) {
  const { t } = useTranslation('home');
  const { t: shell } = useTranslation('shell');
  const dialog = useRef<HTMLDialogElement>(null);
  const [source, setSource] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (loadItem('session', visitedKey) !== null || !isUntouched(interactions)) return end();
    void findVideo('intro').then((found) => (found === undefined ? end() : setSource(found)));
  }, [interactions]);
  useEffect(() => {
    const timer = setTimeout(() => end(), isOpen ? maximumMs : introWindowMs);
    return () => clearTimeout(timer);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    // The page without the toasts, which are beside it.
    const page = document.getElementById('main')?.parentElement;
    page?.setAttribute('inert', '');
    dialog.current?.show();
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') end();
    };
    window.addEventListener('keydown', closeByKey);
    // The Back gesture of a phone. `useCloseWatcher` would bring the code of dialogs along.
    const watcher = window.CloseWatcher && new window.CloseWatcher();
    watcher?.addEventListener('close', () => end());
    return () => {
      page?.removeAttribute('inert');
      window.removeEventListener('keydown', closeByKey);
      watcher?.destroy();
    };
  }, [isOpen]);
  if (source === undefined) return null;
  const start = (video: HTMLVideoElement) => {
    if (isOpen) return;
    if (!isUntouched(interactions)) return onEnd();
    storeItem('session', visitedKey, 'yes');
    setIsOpen(true);
    video.play().catch(onEnd);
  };
  return createPortal(
    <dialog
      ref={dialog}
      aria-label={t('intro.label')}
      className={classNames(
        'fixed inset-0 z-50 m-0 size-full max-h-none max-w-none overflow-hidden',
        'bg-desert-50 text-ink-900 open:animate-enter',
      )}
    >
      {/* First in the dialog, so that it gets the focus. */}
      <div className="absolute end-4 top-4 z-10">
        <Button variant="secondary" icon={<X aria-hidden size={20} />} onPress={onEnd}>
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
        onEnded={onEnd}
        onError={onEnd}
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
    </dialog>,
    document.body,
  );
}
