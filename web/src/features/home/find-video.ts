import { urlExists } from '../../lib/api/send.ts';

/**
 * The address of a video in a format that the browser plays; undefined when the file does not
 * exist. Created by `scripts/make-videos.mjs`.
 */
export async function findVideo(name: 'background' | 'intro'): Promise<string | undefined> {
  const kind =
    document.createElement('video').canPlayType('video/webm; codecs="vp9"') === '' ? 'mp4' : 'webm';
  const address = `/videos/${name}.${kind}`;
  return (await urlExists(address)) ? address : undefined;
}
