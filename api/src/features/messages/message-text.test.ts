import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { smsSegments } from '../../platform/messages/sms-length.ts';
import { addWorkingDays, writeSms } from './message-text.ts';
import { messageWords, writeMail, type Figures } from './message-words.ts';
import { readMessageWords } from './notices.actions.ts';

const long = 'خدمة ذات اسم طويل جدا '.repeat(12);
const figures: Figures = {
  name: 'Sara',
  number: 'DW26-75542-33634',
  service: long,
  agency: 'وزارة',
  amount: '12,345.00 درهم',
  by: 'الأحد 22 نوفمبر 2026',
  reasons: '- سبب',
  message: 'رسالة',
  link: 'https://diwan.example/requests?request=abc',
  site: 'services.government.example.ae',
  toGiveBack: '150.00 درهم',
  reference: 'FT-1',
  documents: '- جواز السفر',
};

describe('the shipped texts', async () => {
  const words = await readMessageWords({ MESSAGES_FILE: undefined });
  it.each(Object.entries({ ...words.events, ...words.news }))(
    '%s: mail and SMS are whole in three languages, the SMS in two parts with the number and without a link',
    (_event, texts) => {
      for (const language of languages) {
        const { subject, body } = writeMail(words, texts, language, figures);
        const sms = writeSms(texts, language, figures);
        expect(`${subject}${body}${sms}`).not.toMatch(/\{\{|undefined/);
        expect([
          subject.includes('DW26-75542-33634'),
          body.includes(figures.link ?? ''),
          sms.includes('DW26-75542-33634'),
          sms.includes('http'),
          smsSegments(sms) <= 2,
        ]).toEqual([true, true, true, false, true]);
      }
    },
  );

  it('leave out a paragraph that there is nothing for', () => {
    const { body } = writeMail(words, words.events.returned, 'en-US', {
      ...figures,
      name: '',
      reasons: '',
      message: '',
    });
    expect(body).not.toMatch(/Dear|Reasons|Message from/);
    expect(body.startsWith(words.events.returned.text['en-US'].split('\n\n')[0] ?? 'nothing')).toBe(
      true,
    );
  });
});

it('a document that leaves news out is one that tells nobody of it', async () => {
  const { news, ...rest } = await readMessageWords({ MESSAGES_FILE: undefined });
  expect(messageWords.parse(rest).news).toEqual({});
  expect(
    messageWords.parse({ ...rest, news: { refunded: news.refunded } }).news.surplus,
  ).toBeUndefined();
});

it.each([
  ['{', /MESSAGES_FILE cannot be used: .*JSON/],
  ['{}', /MESSAGES_FILE cannot be used: greeting/],
  [undefined, /MESSAGES_FILE cannot be used: .*ENOENT/],
  [
    JSON.stringify({ greeting: { 'ar-EG': 'x', 'en-US': '{{password}}', 'ur-PK': 'x' } }),
    /greeting\.en-US: names \{\{password\}\}, which nothing fills/,
  ],
])('a document %s stops the start with one line', async (content, line) => {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-words-'));
  const file = join(folder, 'messages.json');
  if (content !== undefined) await writeFile(file, content);
  await expect(readMessageWords({ MESSAGES_FILE: file })).rejects.toThrow(line);
  await rm(folder, { recursive: true });
});

it.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  ['ع'.repeat(70), 1],
  ['ع'.repeat(71), 2],
  ['ع'.repeat(134), 2],
  ['ع'.repeat(135), 3],
  ['', 1],
])('an SMS of %j has so many parts', (text, parts) => expect(smsSegments(text)).toBe(parts));

it('counts working days in Dubai', () => {
  // A Friday, 22:00 in Dubai; an hour after midnight there it would be Saturday.
  expect(addWorkingDays(new Date('2026-11-20T18:00:00Z'), 1)?.toISOString().slice(0, 10)).toBe(
    '2026-11-23',
  );
  expect(addWorkingDays(new Date('2026-11-20T21:00:00Z'), 5)?.toISOString().slice(0, 10)).toBe(
    '2026-11-26',
  );
  expect(addWorkingDays(new Date(), 0)).toBeUndefined();
});
