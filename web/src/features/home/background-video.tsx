import { useEffect, useRef, useState } from 'react';
import { loadItem, storeItem } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { findVideo } from './intro-video.tsx';
import { PlayPauseButton } from './play-pause-button.tsx';

const choiceKey = 'backgroundVideo';
const poster = '/videos/background.webp';

/** No event says that a video has painted its poster. */
const posterMs = 400;

/**
 * The video behind the headline. It begins automatically where it `moves` and the user has not paused
 * it before; otherwise only its poster image is loaded. It is painted in one pixel first and then shown:
 * a decoration that comes late is not the largest element that the visitor waits for.
 */
export function BackgroundVideo({ moves }: { moves: boolean }) {
  const { t } = useTranslation('home');
  const video = useRef<HTMLVideoElement>(null);
  const [source, setSource] = useState<string>();
  const [startsPaused] = useState(() => !moves || loadItem('local', choiceKey) === 'paused');
  const [isPaused, setIsPaused] = useState(startsPaused);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    void findVideo('background').then((found) => {
      setSource(found);
      if (startsPaused) setTimeout(setIsShown, posterMs, true);
    });
  }, [startsPaused]);
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
      <div className="absolute inset-0 -z-10 opacity-60 md:opacity-100">
        <video
          ref={video}
          src={source}
          poster={isPaused ? poster : undefined}
          autoPlay={!startsPaused}
          preload={startsPaused ? 'none' : 'auto'}
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
          className="hero-mask size-px object-cover data-shown:size-full data-shown:animate-enter"
        />
      </div>
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
