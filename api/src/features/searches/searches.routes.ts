import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/searches';
import type { Catalogue } from '../services/services.actions.ts';
import type { SearchLog } from './search-log.ts';
import * as actions from './searches.actions.ts';
import { selectSynonyms } from './searches.store.ts';

/** What people search, and the synonyms and test searches that improve it. */
export function serveSearches(context: AppContext, catalogue: Catalogue, log: SearchLog): void {
  const { database } = context;
  const searches = { database, catalogue };
  serve(
    context,
    contract.recordSearch,
    ({ body, language }) => {
      log.record(body.text, language, body.serviceId);
      return {};
    },
    { perMinute: 120, perPerson: true },
  );

  serve(context, contract.getSearchTerms, ({ query, language }) =>
    actions.listTerms(searches, query, language),
  );

  serve(context, contract.getSynonyms, () => selectSynonyms(database));

  serve(context, contract.trySynonyms, ({ body, language }) =>
    actions.compareSynonyms(searches, body, language),
  );

  serve(context, contract.saveSynonyms, async ({ caller, request, body }) => {
    await actions.changeSynonyms(searches, { caller, address: request.ip }, body);
    return selectSynonyms(database);
  });

  serve(context, contract.markPopular, async ({ caller, request, body }) => {
    await actions.changePopular(searches, { caller, address: request.ip }, body);
    return body;
  });

  serve(context, contract.getSearchQuestions, ({ language }) =>
    actions.listQuestions(searches, language),
  );

  serve(context, contract.saveSearchQuestion, async ({ caller, request, body, language }) => {
    await actions.changeQuestion(searches, { caller, address: request.ip }, body);
    return actions.listQuestions(searches, language);
  });
}
