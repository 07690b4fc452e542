import { useEffect, useRef, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { findVideo } from './intro-video.tsx';
import { PlayPauseButton } from './play-pause-button.tsx';

const choiceKey = 'backgroundVideo';

/**
 * The video behind the headline. It starts paused where the user has paused it before; then only
 * its poster image is loaded.
 */
export function BackgroundVideo() {
  const { t } = useTranslation('home');
  const video = useRef<HTMLVideoElement>(null);
  const [source, setSource] = useState<string>();
  const [wasPaused] = useState(() => loadItem('local', choiceKey) === 'paused');
  const [isPaused, setIsPaused] = useState(wasPaused);
  const [isShown, setIsShown] = useState(wasPaused);
  useEffect(() => void findVideo('background').then(setSource), []);
  if (source === undefined) return null;
  const toggle = () => {
    storeItem('local', choiceKey, isPaused ? 'playing' : 'paused');
    // A browser in power saving mode may refuse to play; the button shows the real state.
    if (isPaused) return void video.current?.play().catch(() => undefined);
    video.current?.pause();
    // Before the first frame there is no `pause` event and nothing to show but the poster.
    setIsPaused(true);
    setIsShown(true);
  };
  return (
    <>
      <video
        ref={video}
        src={source}
        poster={isPaused ? '/videos/background.webp' : undefined}
        autoPlay={!wasPaused}
        preload={wasPaused ? 'none' : 'auto'}
        muted
        loop
        playsInline
        disablePictureInPicture
        aria-hidden
        tabIndex={-1}
        data-shown={isShown || undefined}
        onPlaying={() => setIsPaused(false)}
        onTimeUpdate={isShown ? undefined : () => setIsShown(true)}
        onPause={() => setIsPaused(true)}
        onError={() => setSource(undefined)}
        className={classNames(
          'absolute inset-0 -z-10 size-full object-cover opacity-0 hero-mask transition-opacity',
          'duration-200 data-shown:opacity-60 md:data-shown:opacity-100',
        )}
      />
      <div className="absolute end-1 bottom-1 rounded-md bg-white/80 md:end-3 md:bottom-3">
        <PlayPauseButton
          label={t(isPaused ? 'video.play' : 'video.pause')}
          isPaused={isPaused}
          onPress={toggle}
        />
      </div>
    </>
  );
}
