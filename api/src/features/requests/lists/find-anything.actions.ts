import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency, hasRole, type Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { getPayments } from '@diwan/contract/payments/events';
import { getInvoicePathByRequestId } from '@diwan/contract/requests/payments';
import {
  maximumFound,
  type findAnything as findAnythingCall,
  type FoundKind,
} from '@diwan/contract/requests/request-lists';
import { auditReaders, type ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import type { RequestsContext } from '../model/requests-context.ts';
import { visibleTo } from '../model/visibility.actions.ts';
import {
  findDocuments,
  findOrganisations,
  findPayments,
  findUsers,
} from './find-anything.store.ts';
import { listRequests } from './list-requests.actions.ts';

type Found = ReplyOf<typeof findAnythingCall>;

const maximumMs = 1500;

async function findRequests(
  context: RequestsContext,
  caller: Caller,
  keyword: string,
  language: Language,
): Promise<Found['requests']> {
  const page = { pageNumber: 1, take: maximumFound, order: 'desc' as const };
  const { items } = await listRequests(context, caller, { keyword, page }, language);
  return items.map(
    ({ requestNumber, serviceName, applicantName, statusId, statusName, statusTone }) => ({
      requestNumber,
      serviceName,
      applicantName,
      statusId,
      statusName,
      statusTone,
    }),
  );
}

// Suggestions are a few of all agencies, so that those of some agencies are searched for.
function suggestServices(
  { catalogue }: RequestsContext,
  caller: Caller,
  text: string,
  language: Language,
) {
  const scope = administeredAgencies(caller);
  if (scope === 'all') return catalogue.suggest(text, language);
  const found = catalogue.search(text, language);
  return found.take(0, found.count).filter(({ agency }) => coversAgency({ scope }, agency.id));
}

const findServices = (
  context: RequestsContext,
  caller: Caller,
  text: string,
  language: Language,
): Found['services'] =>
  suggestServices(context, caller, text, language)
    .slice(0, maximumFound)
    .map(({ id, name, replacedName, agency }) => ({
      id,
      name: localize(name, language),
      replacedName,
      agencyName: localize(agency.name, language),
    }));

async function findPeople(
  { database }: RequestsContext,
  text: string,
  language: Language,
): Promise<Found['people']> {
  const rows = await findUsers(database, { text, take: maximumFound, maximumMs });
  return rows.map(({ id, username, email, roles, ...names }) => ({
    userId: id,
    username,
    fullName: localizePersonName(names, language),
    email,
    roles,
  }));
}

async function findNamed(
  { database }: RequestsContext,
  table: 'companies' | 'partners',
  text: string,
  language: Language,
): Promise<{ id: number; name: string }[]> {
  const finding = { text, take: maximumFound, maximumMs };
  const rows = await findOrganisations(database, table, finding, language);
  return rows.map(({ id, name }) => ({ id, name: localize(name, language) }));
}

/**
 * What the caller may open of each kind. A kind that takes too long or fails is left out and named
 * in `unfinished`, so that the others are shown.
 */
export async function findAnything(
  context: RequestsContext,
  caller: Caller,
  text: string,
  language: Language,
): Promise<Found> {
  const isAdmin = hasRole(caller, auditReaders);
  // guard: documents for who may read them (payment-lists) => true
  const readsDocuments = hasRole(caller, getInvoicePathByRequestId.who);
  // guard: payments for who may list them (payment-lists) => true
  const readsPayments = hasRole(caller, getPayments.who);
  const finding = { text, take: maximumFound, maximumMs };
  const unfinished: FoundKind[] = [];
  const inTime = async <Row>(kind: FoundKind, find: () => Row[] | Promise<Row[]>) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeIsUp = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, maximumMs, undefined);
    });
    const work = Promise.resolve()
      .then(find)
      .catch(() => undefined);
    const found = await Promise.race([work, timeIsUp]);
    clearTimeout(timer);
    if (found) return found;
    unfinished.push(kind);
    return [];
  };
  const forAdmins = <Row>(kind: FoundKind, find: () => Promise<Row[]>) =>
    isAdmin ? inTime(kind, find) : [];
  const [requests, documents, payments, services, people, companies, partners] = await Promise.all([
    inTime('requests', () => findRequests(context, caller, text, language)),
    readsDocuments
      ? inTime('documents', () => findDocuments(context.database, finding, visibleTo(caller)))
      : [],
    readsPayments ? inTime('payments', () => findPayments(context.database, finding)) : [],
    inTime('services', () => findServices(context, caller, text, language)),
    forAdmins('people', () => findPeople(context, text, language)),
    forAdmins('companies', () => findNamed(context, 'companies', text, language)),
    forAdmins('partners', () => findNamed(context, 'partners', text, language)),
  ]);
  return { requests, documents, payments, services, people, companies, partners, unfinished };
}
