import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type {
  AnnouncementAudience,
  AnnouncementKind,
  AnnouncementSeverity,
} from '@diwan/contract/content/announcements';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'announcements.audience': AnnouncementAudience;
    'announcements.kind': AnnouncementKind;
    'announcements.severity': AnnouncementSeverity;
    'announcements.text': LocalizedText;
    'announcements.title': LocalizedText;
  }
}

export interface AnnouncementRow {
  id: number;
  kind: AnnouncementKind;
  severity: AnnouncementSeverity;
  title: LocalizedText;
  text: LocalizedText;
  audience: AnnouncementAudience;
  is_dismissible: boolean;
  starts_at: Date;
  ends_at: Date | null;
  withdrawn_at: Date | null;
  version: number;
}
/** What an administrator sets. */
export type AnnouncementContent = Omit<AnnouncementRow, 'id' | 'version'>;

const columns = [
  'id',
  'kind',
  'severity',
  'title',
  'text',
  'audience',
  'is_dismissible',
  'starts_at',
  'ends_at',
  'withdrawn_at',
  'version',
] as const;

/** Those that are shown now or begin before `until`, the most severe first, then the newest. */
export async function selectOpen(
  database: Database,
  now: Date,
  until: Date,
): Promise<AnnouncementRow[]> {
  return database
    .selectFrom('announcements')
    .select(columns)
    .where('withdrawn_at', 'is', null)
    .where('starts_at', '<', until)
    .where((or) => or.or([or('ends_at', 'is', null), or('ends_at', '>', now)]))
    .orderBy(sql`array_position(array['urgent', 'warning', 'information'], severity)`)
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

/** The newest ones, over and withdrawn ones too. */
export async function selectAll(database: Database): Promise<AnnouncementRow[]> {
  return database
    .selectFrom('announcements')
    .select(columns)
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
}

/** Locks an announcement. */
export async function lockAnnouncement(
  transaction: Transaction,
  id: number,
): Promise<AnnouncementRow | undefined> {
  return transaction
    .selectFrom('announcements')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

const toValues = ({ title, text, audience, ...rest }: AnnouncementContent) => ({
  ...rest,
  title: JSON.stringify(title),
  text: JSON.stringify(text),
  audience: JSON.stringify(audience),
});

export async function insertAnnouncement(
  transaction: Transaction,
  content: AnnouncementContent,
): Promise<AnnouncementRow> {
  return transaction
    .insertInto('announcements')
    .values(toValues(content))
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Stores the content of a locked announcement as its next version. */
export async function updateAnnouncement(
  transaction: Transaction,
  id: number,
  content: AnnouncementContent,
): Promise<AnnouncementRow> {
  return transaction
    .updateTable('announcements')
    .set((row) => ({
      ...toValues(content),
      version: row('version', '+', 1),
      changed_at: new Date(),
    }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}
