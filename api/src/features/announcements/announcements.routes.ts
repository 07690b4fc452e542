import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/content/announcements';
import type { Catalogue } from '../services/services.actions.ts';
import { listAnnouncements, save, type Announcements } from './announcements.actions.ts';

/** Banners for everybody and their administration. */
export function serveAnnouncements(
  context: AppContext,
  { catalogue, announcements }: { catalogue: Catalogue; announcements: Announcements },
): void {
  const { database } = context;
  serve(context, contract.getAnnouncements, ({ language }) => announcements.list(language), {
    // The names of agencies and services are those of the catalogue. Both numbers are small.
    version: () => announcements.version() * 1_000_000 + catalogue.version(),
  });

  serve(context, contract.getAllAnnouncements, () => listAnnouncements(database));

  serve(context, contract.saveAnnouncement, ({ caller, request, body }) =>
    save({ database, catalogue, announcements }, { caller, address: request.ip }, body, new Date()),
  );
}
