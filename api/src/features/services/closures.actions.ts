import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  closeAgencyServices,
  closeService,
  openAgencyServices,
} from '@diwan/contract/catalogue/closures';
import type { BodyOf } from '@diwan/contract/wire/call';
import { instantOf } from '@diwan/contract/wire/days';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { CatalogueService } from './catalogue-records.ts';
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
  await catalogue.refresh();
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
  await catalogue.refresh();
}

const servicesOf = (catalogue: Catalogue, agencyId: number): NamedService[] =>
  catalogue
    .list()
    .filter(({ agency }) => agency.id === agencyId)
    .map(({ id, name }) => ({ id, name }));

/** The services of an agency by whether they are closed now or will be. */
export async function readAgencyClosure(
  { database, catalogue }: ClosureDependencies,
  agencyId: number,
  now: Date,
): Promise<{ open: NamedService[]; closed: NamedService[] }> {
  const closures = new Set(
    (await store.selectClosures(database, now)).map((row) => row.service_id),
  );
  const services = servicesOf(catalogue, agencyId);
  return {
    open: services.filter(({ id }) => !closures.has(id)),
    closed: services.filter(({ id }) => closures.has(id)),
  };
}

// Locks the services of an agency in the order of their ids, and reads their last closures.
async function lockServices(
  transaction: Transaction,
  services: readonly NamedService[],
): Promise<{ service: NamedService; known: store.ClosureRow | undefined }[]> {
  const locked = [];
  for (const service of services.toSorted((one, other) => one.id - other.id))
    locked.push({ service, known: await store.lockClosure(transaction, service.id) });
  return locked;
}

function refuseOthers(locked: readonly { service: NamedService }[], seen: readonly number[]): void {
  const ids = new Set(seen);
  if (locked.length !== ids.size || !locked.every(({ service }) => ids.has(service.id)))
    throw new Refusal('RecordHasChanged');
}

/**
 * Closes every open service of an agency in one transaction; closures that exist stay. Throws
 * RecordHasChanged where others than the ones that were seen are open, ValidationFailed.
 */
export async function closeAgency(
  { database, catalogue }: ClosureDependencies,
  author: ChangeAuthor,
  { agencyId, serviceIds, reason, ...times }: BodyOf<typeof closeAgencyServices>,
  now: Date,
): Promise<number> {
  const next = { reason, ...readTimes(times, now) };
  await inTransaction(database, async (transaction) => {
    const locked = await lockServices(transaction, servicesOf(catalogue, agencyId));
    const opened = locked.filter(({ known }) => !isClosedBy(known, now));
    refuseOthers(opened, serviceIds);
    for (const { service, known } of opened)
      await storeClosed(transaction, author, { service, known, next });
  });
  await catalogue.refresh();
  return serviceIds.length;
}

/**
 * Opens every closed service of an agency in one transaction. Throws RecordHasChanged where others
 * than the ones that were seen are closed.
 */
export async function openAgency(
  { database, catalogue }: ClosureDependencies,
  author: ChangeAuthor,
  { agencyId, serviceIds }: BodyOf<typeof openAgencyServices>,
  now: Date,
): Promise<number> {
  await inTransaction(database, async (transaction) => {
    const locked = await lockServices(transaction, servicesOf(catalogue, agencyId));
    const closed = locked.flatMap(({ service, known }) =>
      isClosedBy(known, now) ? [{ service, known }] : [],
    );
    refuseOthers(closed, serviceIds);
    for (const { service, known } of closed)
      await storeOpened(transaction, author, { service, known, at: now });
  });
  await catalogue.refresh();
  return serviceIds.length;
}
