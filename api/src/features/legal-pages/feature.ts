import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/content/legal-pages';
import {
  getLegalVersion,
  getOrder,
  previewText,
  saveOrder,
  type LegalPages,
} from './legal-pages.actions.ts';

/**
 * The pages of legal text, with the facts of this deployment. Decision 0147. Begins after the texts
 * and the details of the portal, which it publishes.
 */
export async function registerLegalPages(context: AppContext, legal: LegalPages): Promise<Feature> {
  const { database } = context;
  await legal.refresh();
  serve(context, contract.getLegalPage, ({ query, language }) => legal.get(query.Page, language), {
    version: legal.version,
  });
  serve(context, contract.getLegalPageVersion, ({ query, language }) =>
    getLegalVersion(database, query.Id, language),
  );
  serve(context, contract.getLegalOrder, ({ query, language }) =>
    getOrder(database, query.Page, language),
  );
  serve(context, contract.saveLegalOrder, ({ caller, request, body, language }) =>
    saveOrder({ database, legal }, { caller, address: request.ip }, body, language),
  );
  serve(context, contract.previewLegalText, ({ body }) => previewText(context, body));
  return {
    jobs: [
      // What the pages are made of is in memory: most runs compare two texts.
      { everySeconds: 1, run: () => legal.refreshIfChanged() },
      { everySeconds: 60, run: () => legal.refresh() },
    ],
  };
}
