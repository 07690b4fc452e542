import { useState } from 'react';
import { BackgroundVideo } from './background-video.tsx';
import { IntroVideo } from './intro-video.tsx';

/**
 * The introduction and, when it is over, the video behind the headline. Where nothing `moves` by itself
 * there is no introduction, and the background is a picture until the user plays it.
 */
export function HomeVideos({ interactions, moves }: { interactions: number; moves: boolean }) {
  const [isIntroOver, setIsIntroOver] = useState(!moves);
  return isIntroOver ? (
    <BackgroundVideo moves={moves} />
  ) : (
    <IntroVideo interactions={interactions} onEnd={() => setIsIntroOver(true)} />
  );
}
