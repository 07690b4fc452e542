import { urlExists } from '../../lib/browser/url-exists.ts';

/**
 * The address of a video in a form that this browser plays; none when it is not there. Made by
 * `scripts/make-videos.mjs`.
 */
export async function findVideo(name: 'background' | 'intro'): Promise<string | undefined> {
  const kind =
    document.createElement('video').canPlayType('video/webm; codecs="vp9"') === '' ? 'mp4' : 'webm';
  const address = `/videos/${name}.${kind}`;
  return (await urlExists(address)) ? address : undefined;
}
