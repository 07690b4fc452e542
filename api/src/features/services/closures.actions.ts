import { coversAgency, type AgencyScope } from '#platform/auth/caller.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  closeService,
  closeServices,
  Closure,
  getClosableServices,
} from '@diwan/contract/catalogue/closures';
import type { BodyOf, EveryField, QueryOf } from '@diwan/contract/wire/call';
import { instantOf } from '@diwan/contract/wire/days';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { CatalogueClosure, CatalogueService } from './catalogue-records.ts';
import * as store from './closures.store.ts';
import type { Catalogue } from './services.actions.ts';

const t = createTranslator('announcements');

// As the page for services writes it: Latin digits, the month in words.
const formatMoment = (at: Date, language: Language) =>
  new Intl.DateTimeFormat(language === 'en-US' ? 'en-GB' : `${language}-u-nu-latn`, {
    timeZone: 'Asia/Dubai',
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(at);

/** A closure as the portal shows it to everybody. */
export function describeClosure(
  closure: CatalogueClosure | undefined,
  language: Language,
): EveryField<Closure> | undefined {
  return (
    closure && {
      reason: localize(closure.reason, language),
      until: closure.until?.toISOString(),
    }
  );
}

/** Refuses a new request for a service that is closed. Throws ServiceClosed. */
export function refuseClosed(catalogue: Catalogue, service: CatalogueService, at: Date): void {
  const closure = catalogue.findClosure(service, at);
  if (!closure) return;
  const { reason, until } = closure;
  const when = Object.fromEntries(
    languages.map((language) => [
      language,
      until
        ? t('closed.until', language, { at: formatMoment(until, language) })
        : t('closed.now', language),
    ]),
  ) as LocalizedText;
  throw new Refusal('ServiceClosed', { when, reason });
}

const fieldsOf = (row: store.ClosureRow | undefined) =>
  row && {
    closed: row.opened_at === null,
    reason: row.reason,
    from: row.closed_from,
    until: row.closed_until,
  };

const isOver = ({ closed_until: until }: store.ClosureRow, now: Date) =>
  until !== null && until <= now;

const isClosedBy = (row: store.ClosureRow | undefined, now: Date): row is store.ClosureRow =>
  row !== undefined && row.opened_at === null && !isOver(row, now);

type ClosureTimes = Pick<BodyOf<typeof closeService>, 'from' | 'until'>;

function readTimes(times: ClosureTimes, now: Date) {
  const from = instantOf(times.from);
  const until = times.until === undefined ? null : instantOf(times.until);
  if (until && until <= from)
    throw new ValidationRefusal([{ field: 'until', code: 'endsBeforeBeginning' }]);
  if (until && until <= now)
    throw new ValidationRefusal([{ field: 'until', code: 'endsInThePast' }]);
  return { closed_from: from, closed_until: until };
}

type NamedService = Pick<CatalogueService, 'id' | 'name'>;
type ClosureContent = Pick<store.ClosureRow, 'reason' | 'closed_from' | 'closed_until'>;

async function storeClosed(
  transaction: Transaction,
  author: ChangeAuthor,
  {
    service,
    known,
    next,
  }: { service: NamedService; known: store.ClosureRow | undefined; next: ClosureContent },
): Promise<number> {
  const stored = await store.storeClosure(transaction, service.id, next);
  await recordChange(transaction, author, {
    entity: 'service',
    entityId: service.id,
    name: service.name,
    action: 'changed',
    before: fieldsOf(known) ?? { closed: false },
    after: { ...fieldsOf({ ...stored, ...next, opened_at: null }) },
  });
  return stored.version;
}

async function storeOpened(
  transaction: Transaction,
  author: ChangeAuthor,
  { service, known, at }: { service: NamedService; known: store.ClosureRow; at: Date },
): Promise<void> {
  await store.endClosure(transaction, service.id, at);
  await recordChange(transaction, author, {
    entity: 'service',
    entityId: service.id,
    name: service.name,
    action: 'changed',
    before: fieldsOf(known),
    after: fieldsOf({ ...known, opened_at: at }),
  });
}

interface ClosureDependencies {
  database: Database;
  catalogue: Catalogue;
}

/**
 * Closes a service for a time, or changes its closure. Throws ServiceNotFound, RecordHasChanged,
 * ValidationFailed.
 */
export async function close(
  { database, catalogue }: ClosureDependencies,
  author: ChangeAuthor,
  { serviceId, version, reason, ...times }: BodyOf<typeof closeService>,
  now: Date,
): Promise<number> {
  const service = catalogue.getService(serviceId);
  const next = { reason, ...readTimes(times, now) };
  const saved = await inTransaction(database, async (transaction) => {
    const known = await store.lockClosure(transaction, serviceId);
    if ((isClosedBy(known, now) ? known.version : undefined) !== version)
      throw new Refusal('RecordHasChanged');
    return storeClosed(transaction, author, { service, known, next });
  });
  await afterCall(() => catalogue.refresh());
  return saved;
}

/** Opens a closed service now. Throws ServiceNotFound, RecordHasChanged. */
export async function open(
  { database, catalogue }: ClosureDependencies,
  author: ChangeAuthor,
  { serviceId, version }: { serviceId: number; version: number },
  now: Date,
): Promise<void> {
  const service = catalogue.getService(serviceId);
  await inTransaction(database, async (transaction) => {
    const known = await store.lockClosure(transaction, serviceId);
    if (!known || known.version !== version || known.opened_at !== null)
      throw new Refusal('RecordHasChanged');
    await storeOpened(transaction, author, { service, known, at: now });
  });
  await afterCall(() => catalogue.refresh());
}

/** Services by exact values, of some agencies. */
type ClosableFilter = QueryOf<typeof getClosableServices> & { scope: AgencyScope };

function findServices(
  catalogue: Catalogue,
  { Name: name, AgencyId: agencyId, CategoryId: categoryId, scope }: ClosableFilter,
): NamedService[] {
  const part = normalizeText(name ?? '');
  return catalogue
    .list()
    .filter(
      (service) =>
        coversAgency({ scope }, service.agency.id) &&
        (agencyId === undefined || service.agency.id === agencyId) &&
        (categoryId === undefined || service.category.id === categoryId) &&
        languages.some((language) => normalizeText(service.name[language]).includes(part)),
    )
    .map((service) => ({ id: service.id, name: service.name }));
}

/** Services by exact values, by whether they are closed now or will be. */
export async function readClosableServices(
  { database, catalogue }: ClosureDependencies,
  filter: ClosableFilter,
  now: Date,
): Promise<{ open: NamedService[]; closed: NamedService[] }> {
  const closures = new Set(
    (await store.selectClosures(database, now)).map((row) => row.service_id),
  );
  const services = findServices(catalogue, filter);
  return {
    open: services.filter(({ id }) => !closures.has(id)),
    closed: services.filter(({ id }) => closures.has(id)),
  };
}

// Locks services in the order of their ids, and reads their last closures.
async function lockServices(
  transaction: Transaction,
  catalogue: Catalogue,
  serviceIds: readonly number[],
): Promise<{ service: NamedService; known: store.ClosureRow | undefined }[]> {
  const services = [...new Set(serviceIds)].map((id) => catalogue.getService(id));
  const locked = [];
  for (const service of services.toSorted((one, other) => one.id - other.id))
    locked.push({ service, known: await store.lockClosure(transaction, service.id) });
  return locked;
}

/**
 * Closes open services in one transaction. Returns how many. Throws ServiceNotFound, RecordHasChanged
 * where one of them is closed, ValidationFailed.
 */
export async function closeMany(
  { database, catalogue }: ClosureDependencies,
  author: ChangeAuthor,
  { serviceIds, reason, ...times }: BodyOf<typeof closeServices>,
  now: Date,
): Promise<number> {
  const next = { reason, ...readTimes(times, now) };
  const closed = await inTransaction(database, async (transaction) => {
    const locked = await lockServices(transaction, catalogue, serviceIds);
    if (locked.some(({ known }) => isClosedBy(known, now))) throw new Refusal('RecordHasChanged');
    for (const { service, known } of locked)
      await storeClosed(transaction, author, { service, known, next });
    return locked.length;
  });
  await afterCall(() => catalogue.refresh());
  return closed;
}

/**
 * Opens closed services in one transaction. Returns how many. Throws ServiceNotFound, RecordHasChanged
 * where one of them is open.
 */
export async function openMany(
  { database, catalogue }: ClosureDependencies,
  author: ChangeAuthor,
  serviceIds: readonly number[],
  now: Date,
): Promise<number> {
  const opened = await inTransaction(database, async (transaction) => {
    const locked = await lockServices(transaction, catalogue, serviceIds);
    for (const { service, known } of locked) {
      if (!isClosedBy(known, now)) throw new Refusal('RecordHasChanged');
      await storeOpened(transaction, author, { service, known, at: now });
    }
    return locked.length;
  });
  await afterCall(() => catalogue.refresh());
  return opened;
}
