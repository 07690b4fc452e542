import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/searches';
import type { Catalogue } from '../services/services.actions.ts';
import type { SearchLog } from './search-log.ts';
import * as actions from './searches.actions.ts';

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

  serve(context, contract.getSearchTerms, ({ query, ...reader }) =>
    actions.listTerms(searches, reader, query),
  );

  serve(context, contract.getSynonyms, (reader) => actions.listSynonyms(database, reader));

  serve(context, contract.trySynonyms, ({ body, ...reader }) =>
    actions.compareSynonyms(searches, reader, body),
  );

  serve(context, contract.saveSynonyms, async ({ caller, request, body, language }) => {
    await actions.changeSynonyms(searches, { caller, address: request.ip }, body);
    return actions.listSynonyms(database, { caller, language });
  });

  serve(context, contract.markPopular, async ({ caller, request, body }) => {
    await actions.changePopular(searches, { caller, address: request.ip }, body);
    return body;
  });

  serve(context, contract.getSearchQuestions, (reader) => actions.listQuestions(searches, reader));

  for (const call of [contract.saveSearchQuestion, contract.removeSearchQuestion] as const)
    serve(context, call, async ({ caller, request, body, language }) => {
      await actions.changeQuestion(searches, { caller, address: request.ip }, body);
      return actions.listQuestions(searches, { caller, language });
    });
}
