import { z } from 'zod';
import { defineCall, editors } from '../wire/call.ts';

/** The largest file of a logo, in bytes. */
export const maximumLogoBytes = 200_000;

/**
 * Stores a picture for an agency or a category. An SVG is written again from the elements that a
 * drawing needs, a PNG from its picture data; anything else is refused. `content` is the file in
 * base64. Our own call.
 */
export const uploadLogo = defineCall({
  name: 'uploadLogo',
  method: 'POST',
  path: '/api/Service/UploadLogo',
  who: editors,
  summary: 'Store an SVG or PNG as a logo; answers its path on this site',
  body: z.object({
    content: z
      .base64()
      .min(4)
      .max(Math.ceil(maximumLogoBytes / 3) * 4),
  }),
  reply: z.object({ logo: z.string() }),
  refusals: ['LogoNotUsable'],
});
