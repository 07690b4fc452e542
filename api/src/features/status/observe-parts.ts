import { findDatabaseFailure } from '#platform/database/database.ts';
import type { AppContext } from '#platform/http/context.ts';
import { isAnswering } from '#platform/integrations/http-client.ts';
import type { IncidentState, StatusPart } from '@diwan/contract/content/status';
import { checkSeconds, type Observation } from './status.actions.ts';
import * as store from './status.store.ts';

// No document has this id: the store answers that it does not exist.
const noDocument = '00000000-0000-0000-0000-000000000000';
const lateMinutes = 10;

/** What works without the database: the pages, from memory. */
const withoutDatabase: Observation = new Map([
  ['portal', 'limited'],
  ['requests', 'down'],
  ['documents', 'down'],
  ['payments', 'down'],
  ['messages', 'down'],
  ['uaePass', 'down'],
]);

type Watched = Pick<
  AppContext,
  'config' | 'database' | 'documents' | 'integrations' | 'refusedCalls'
>;

async function observeDocuments({
  database,
  documents: { files },
}: Watched): Promise<IncidentState | undefined> {
  const isReachable = await files.sizeOf(noDocument).then(
    () => true,
    () => false,
  );
  if (!isReachable || (await files.isFull?.())) return 'down';
  return (await store.hasLateScans(database, lateMinutes)) ? 'limited' : undefined;
}

async function observePayments({
  database,
  integrations: { paymentProviders },
}: Watched): Promise<IncidentState | undefined> {
  const enabled = await store.selectEnabledProviders(database);
  const origins = new Set(enabled.flatMap((name) => paymentProviders.get(name)?.origin ?? []));
  const answers = await Promise.all(
    [...origins].map((origin) => isAnswering(origin, checkSeconds)),
  );
  if (answers.every((isAnswer) => isAnswer)) return undefined;
  return answers.some((isAnswer) => isAnswer) ? 'limited' : 'down';
}

/** Looks at each part of the portal by the checks that exist, and by what calls of outside systems met. */
export function observeParts(context: Watched): () => Promise<Observation> {
  const { database, integrations, refusedCalls } = context;
  let refusedBefore = refusedCalls();
  return async () => {
    const refused = refusedCalls() - refusedBefore;
    refusedBefore = refusedCalls();
    if (await findDatabaseFailure(database)) return withoutDatabase;
    const { identityProvider } = integrations;
    const [documents, payments, hasLateMessages, isIdentified] = await Promise.all([
      observeDocuments(context),
      observePayments(context),
      store.hasLateMessages(database, lateMinutes),
      identityProvider ? isAnswering(identityProvider.origin, checkSeconds) : true,
    ]);
    const found: [StatusPart, IncidentState | undefined][] = [
      ['portal', refused > 0 ? 'limited' : undefined],
      ['documents', documents],
      ['payments', payments],
      ['messages', hasLateMessages ? 'limited' : undefined],
      ['uaePass', isIdentified ? undefined : 'down'],
    ];
    return new Map(found.flatMap(([part, state]) => (state ? [[part, state] as const] : [])));
  };
}
