import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { sql } from './sql.ts';
import { readUtcText, utcText } from './utc-text.ts';

const app = useTestApp();

it.each([
  '2026-03-01T04:30:00Z',
  '2026-03-01T04:30:00.2Z',
  '2026-03-01T04:30:00.25Z',
  '2026-12-31T23:59:59.999Z',
  '2026-03-01T04:30:00.123456Z',
  '2026-03-01T00:30:00.5+04:00',
  '1999-01-01T00:00:00+14:00',
])('%s is the same time as by Date', async (time) => {
  const { rows } = await sql<{ text: string; date: Date }>`
    select ${utcText('at')} as text, at as date
    from (select ${time}::timestamptz as at) as row`.execute(app.database);
  expect(rows.map(({ text }) => readUtcText(text))).toEqual([rows[0]?.date.toISOString()]);
});
