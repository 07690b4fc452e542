import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { closeService } from '@diwan/contract/catalogue/closures';
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

/**
 * Closes a service for a time, or changes its closure. Throws ServiceNotFound, RecordHasChanged,
 * ValidationFailed.
 */
export async function close(
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  author: ChangeAuthor,
  { serviceId, version, reason, ...times }: BodyOf<typeof closeService>,
  now: Date,
): Promise<number> {
  const service = catalogue.getService(serviceId);
  const from = instantOf(times.from);
  const until = times.until === undefined ? null : instantOf(times.until);
  if (until && until <= from)
    throw new ValidationRefusal([{ field: 'until', code: 'endsBeforeBeginning' }]);
  if (until && until <= now)
    throw new ValidationRefusal([{ field: 'until', code: 'endsInThePast' }]);
  const saved = await inTransaction(database, async (transaction) => {
    const known = await store.lockClosure(transaction, serviceId);
    const isClosed = known?.opened_at === null && !isOver(known, now);
    if ((isClosed ? known.version : undefined) !== version) throw new Refusal('RecordHasChanged');
    const next = { reason, closed_from: from, closed_until: until };
    const stored = await store.storeClosure(transaction, serviceId, next);
    await recordChange(transaction, author, {
      entity: 'service',
      entityId: serviceId,
      name: service.name,
      action: 'changed',
      before: fieldsOf(known) ?? { closed: false },
      after: { ...fieldsOf({ ...stored, ...next, opened_at: null }) },
    });
    return stored.version;
  });
  await catalogue.refresh();
  return saved;
}

const isOver = ({ closed_until: until }: store.ClosureRow, now: Date) =>
  until !== null && until <= now;

/** Opens a closed service now. Throws ServiceNotFound, RecordHasChanged. */
export async function open(
  { database, catalogue }: { database: Database; catalogue: Catalogue },
  author: ChangeAuthor,
  { serviceId, version }: { serviceId: number; version: number },
  now: Date,
): Promise<void> {
  const service = catalogue.getService(serviceId);
  await inTransaction(database, async (transaction) => {
    const known = await store.lockClosure(transaction, serviceId);
    if (!known || known.version !== version || known.opened_at !== null)
      throw new Refusal('RecordHasChanged');
    await store.endClosure(transaction, serviceId, now);
    await recordChange(transaction, author, {
      entity: 'service',
      entityId: serviceId,
      name: service.name,
      action: 'changed',
      before: fieldsOf(known),
      after: fieldsOf({ ...known, opened_at: now }),
    });
  });
  await catalogue.refresh();
}
