import { BackgroundVideo } from './background-video.tsx';
import { IntroVideo } from './intro-video.tsx';

/**
 * What moves on the home page. Its code comes after everything else, and only for who may see it.
 */
export function HomeMotion() {
  return (
    <>
      <BackgroundVideo />
      <IntroVideo />
    </>
  );
}
