import { expect, it } from 'vitest';
import type {
  AnnouncementAudience,
  AnnouncementRecord,
} from '@diwan/contract/content/announcements';
import { audienceOf, draftOf } from './announcement-draft.ts';

const text = { 'ar-EG': 'أ', 'en-US': 'A', 'ur-PK': 'ا' };
const record = (audience: AnnouncementAudience): AnnouncementRecord => ({
  id: 1,
  version: 1,
  kind: 'news',
  severity: 'urgent',
  title: text,
  text,
  audience,
  isDismissible: false,
  from: '2026-12-01T20:30:00.000Z',
  state: 'planned',
});

it.each<AnnouncementAudience>([
  { of: 'everybody' },
  { of: 'accountTypes', ids: [1, 3] },
  { of: 'roles', names: ['Employee'] },
  { of: 'agency', id: 4 },
  { of: 'service', id: 9 },
])('keeps the audience %j', (audience) => {
  const draft = draftOf(record(audience));
  expect(audienceOf(draft)).toEqual(audience);
  // Times are those of Dubai.
  expect([draft.from, draft.until]).toEqual(['2026-12-02T00:30', '']);
});

it.each(['accountTypes', 'roles', 'agency', 'service'] as const)('needs a choice for %s', (of) => {
  expect(audienceOf({ ...draftOf(undefined), of })).toBeUndefined();
});
