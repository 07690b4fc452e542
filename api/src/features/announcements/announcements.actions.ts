import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { localize } from '#platform/core/localize.ts';
import { countPassedMoments } from '#platform/core/passed-moments.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  Announcement,
  AnnouncementAudience,
  AnnouncementRecord,
  AnnouncementState,
  saveAnnouncement,
} from '@diwan/contract/content/announcements';
import type { BodyOf, EveryField } from '@diwan/contract/wire/call';
import { instantOf } from '@diwan/contract/wire/days';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import * as store from './announcements.store.ts';

/** Announcements in memory, as visitors see them. */
export interface Announcements {
  /** Those of now and of the next 30 days, the most severe first. */
  list(language: Language): EveryField<Announcement>[];
  /** Changes with each change, and when an announcement begins or ends. */
  version(): number;
  refresh(): Promise<void>;
}

const aheadMs = 30 * 86_400_000;

type Names = Pick<Catalogue, 'agencies' | 'findService'>;

/** The name of the agency or the service that an announcement concerns. */
function nameOf(audience: AnnouncementAudience, catalogue: Names): LocalizedText | undefined {
  if (audience.of === 'service') return catalogue.findService(audience.id)?.name;
  return audience.of === 'agency'
    ? catalogue.agencies().find(({ item }) => item.id === audience.id)?.item.name
    : undefined;
}

function describe(
  row: store.AnnouncementRow,
  { catalogue, language, now }: { catalogue: Names; language: Language; now: Date },
): EveryField<Announcement> {
  const concerned = nameOf(row.audience, catalogue);
  return {
    id: row.id,
    mark: `${row.id}.${row.version}`,
    kind: row.kind,
    severity: row.severity,
    title: localize(row.title, language),
    text: localize(row.text, language),
    audience: row.audience,
    concerns: concerned && localize(concerned, language),
    isDismissible: row.is_dismissible,
    isCurrent: row.starts_at <= now,
    from: row.starts_at.toISOString(),
    until: row.ends_at?.toISOString(),
  };
}

/** Reads the announcements into memory. */
export async function openAnnouncements(
  database: Database,
  catalogue: Names,
): Promise<Announcements> {
  let rows: store.AnnouncementRow[] = [];
  let reads = 0;
  let passedTimes = countPassedMoments([]);
  let last = Promise.resolve();

  async function read(): Promise<void> {
    const now = new Date();
    const newer = await store.selectOpen(database, now, new Date(now.getTime() + aheadMs));
    if (reads > 0 && JSON.stringify(newer) === JSON.stringify(rows)) return;
    rows = newer;
    reads += 1;
    passedTimes = countPassedMoments(rows.flatMap((row) => [row.starts_at, row.ends_at]));
  }
  // One after the other: of two reads at the same time the older could end last.
  const refresh = () => {
    last = last.then(read, read);
    return last;
  };
  await refresh();
  return {
    list(language) {
      const now = new Date();
      return rows
        .filter(({ ends_at: until }) => until === null || until > now)
        .map((row) => describe(row, { catalogue, language, now }));
    },
    version: () => reads + passedTimes() / 65_536,
    refresh,
  };
}

function stateOf(row: store.AnnouncementRow, now: Date): AnnouncementState {
  if (row.withdrawn_at) return 'withdrawn';
  if (row.ends_at && row.ends_at <= now) return 'over';
  return row.starts_at > now ? 'planned' : 'shown';
}

const toRecord = (row: store.AnnouncementRow, now: Date): EveryField<AnnouncementRecord> => ({
  id: row.id,
  kind: row.kind,
  severity: row.severity,
  title: row.title,
  text: row.text,
  audience: row.audience,
  isDismissible: row.is_dismissible,
  from: row.starts_at.toISOString(),
  until: row.ends_at?.toISOString(),
  state: stateOf(row, now),
  version: row.version,
});

/** The newest announcements as an admin sees them. */
export async function listAnnouncements(
  database: Database,
): Promise<EveryField<AnnouncementRecord>[]> {
  const now = new Date();
  return (await store.selectAll(database)).map((row) => toRecord(row, now));
}

type Saved = BodyOf<typeof saveAnnouncement>;

function readContent(
  saved: Saved,
  known: store.AnnouncementRow | undefined,
  { catalogue, now }: { catalogue: Names; now: Date },
): store.AnnouncementContent {
  const starts_at = instantOf(saved.from);
  const ends_at = saved.until === undefined ? null : instantOf(saved.until);
  const issues: ValidationIssue[] = [];
  if (ends_at && ends_at <= starts_at) issues.push({ field: 'until', code: 'endsBeforeBeginning' });
  else if (ends_at && ends_at <= now && !saved.isWithdrawn)
    issues.push({ field: 'until', code: 'endsInThePast' });
  const { audience } = saved;
  const isConcrete = audience.of === 'agency' || audience.of === 'service';
  if (isConcrete && !nameOf(audience, catalogue))
    issues.push({ field: 'audience', code: 'notAllowed' });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return {
    kind: saved.kind,
    severity: saved.severity,
    title: saved.title,
    text: saved.text,
    audience,
    is_dismissible: saved.isDismissible,
    starts_at,
    ends_at,
    withdrawn_at: saved.isWithdrawn ? (known?.withdrawn_at ?? now) : null,
  };
}

const fieldsOf = (row: store.AnnouncementContent) => ({
  kind: row.kind,
  severity: row.severity,
  title: row.title,
  text: row.text,
  audience: row.audience,
  isDismissible: row.is_dismissible,
  from: row.starts_at,
  until: row.ends_at,
  isWithdrawn: row.withdrawn_at !== null,
});

function actionOf(known: store.AnnouncementRow | undefined, next: store.AnnouncementContent) {
  if (!known) return 'created';
  if ((known.withdrawn_at === null) === (next.withdrawn_at === null)) return 'changed';
  return next.withdrawn_at ? 'retired' : 'restored';
}

/**
 * Adds or changes an announcement. Other processes hear of it with the commit. Throws
 * AnnouncementNotFound, RecordHasChanged, ValidationFailed.
 */
export async function save(
  {
    database,
    catalogue,
    announcements,
  }: { database: Database; catalogue: Names; announcements: Announcements },
  author: ChangeAuthor,
  saved: Saved,
  now: Date,
): Promise<EveryField<AnnouncementRecord>> {
  const row = await inTransaction(database, async (transaction) => {
    const known =
      saved.id === undefined ? undefined : await store.lockAnnouncement(transaction, saved.id);
    if (saved.id !== undefined && !known) throw new Refusal('AnnouncementNotFound');
    if (known && saved.version !== known.version) throw new Refusal('RecordHasChanged');
    const content = readContent(saved, known, { catalogue, now });
    const stored = known
      ? await store.updateAnnouncement(transaction, known.id, content)
      : await store.insertAnnouncement(transaction, content);
    await recordChange(transaction, author, {
      entity: 'announcement',
      entityId: stored.id,
      name: content.title,
      action: actionOf(known, content),
      before: known && fieldsOf(known),
      after: fieldsOf(content),
    });
    return stored;
  });
  await afterCall(() => announcements.refresh());
  return toRecord(row, now);
}
