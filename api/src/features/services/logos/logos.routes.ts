import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { uploadLogo } from '@diwan/contract/catalogue/logos';
import { storeLogo } from './logos.actions.ts';
import { findLogo } from './logos.store.ts';

const mediaTypes = { svg: 'image/svg+xml', png: 'image/png' } as const;

/** Uploaded logos: their upload by admins, and the pictures for everybody. */
export function serveLogos(context: AppContext): void {
  const { server, database } = context;
  serve(context, uploadLogo, async ({ caller, body }) => ({
    logo: await storeLogo(database, Buffer.from(body.content, 'base64'), caller.userId),
  }));

  // A picture never changes, because its name is the hash of its content. Opened as a separate page
  // it may load and run nothing.
  server.get<{ Params: { name: string } }>(
    '/logos/uploaded/:name',
    async ({ params: { name } }, reply) => {
      const type = /^[0-9a-f]{32}\.(svg|png)$/.exec(name)?.[1] as keyof typeof mediaTypes;
      const content = type && (await findLogo(database, `/logos/uploaded/${name}`));
      if (!content) throw new Refusal('NotFound');
      return reply
        .type(mediaTypes[type])
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .send(content);
    },
  );
}
