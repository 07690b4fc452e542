import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { recall, remember } from '../../lib/browser/browser-memory.ts';
import { whenSomebodyIsThere } from '../../lib/browser/when-quiet.ts';
import { findVideo } from './find-video.ts';
import { MotionButton } from './motion-button.tsx';

const choiceKey = 'backgroundVideo';

/**
 * Behind the question. Who has paused it once finds it paused, and then nothing but its picture is
 * fetched.
 */
export function BackgroundVideo() {
  const { t } = useTranslation('home');
  const video = useRef<HTMLVideoElement>(null);
  const [source, setSource] = useState<string>();
  const [wasPaused] = useState(() => recall('local', choiceKey) === 'paused');
  const [isPaused, setIsPaused] = useState(wasPaused);
  const [isShown, setIsShown] = useState(wasPaused);
  // A page that nobody looks at fetches no video, and what is drawn behind the words is not the
  // page's largest thing to wait for.
  useEffect(
    () =>
      void whenSomebodyIsThere()
        .then(() => findVideo('background'))
        .then(setSource),
    [],
  );
  if (source === undefined) return null;
  const toggle = () => {
    remember('local', choiceKey, isPaused ? 'playing' : 'paused');
    // A browser that saves power may refuse; the button then still says what is so.
    if (isPaused) void video.current?.play().catch(() => undefined);
    else video.current?.pause();
  };
  return (
    <>
      <video
        ref={video}
        src={source}
        poster={wasPaused ? '/videos/background.webp' : undefined}
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
        className="absolute inset-0 -z-10 size-full object-cover opacity-0 hero-mask transition-opacity duration-200 data-shown:opacity-60 md:data-shown:opacity-100"
      />
      <div className="absolute end-1 bottom-1 rounded-md bg-white/80 md:end-3 md:bottom-3">
        <MotionButton
          label={t(isPaused ? 'video.play' : 'video.pause')}
          isPaused={isPaused}
          onPress={toggle}
        />
      </div>
    </>
  );
}
