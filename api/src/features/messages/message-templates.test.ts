import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countSmsSegments } from '#platform/messages/sms.ts';
import { languages } from '@diwan/contract/wire/languages';
import {
  loadMessageTemplates,
  messageTemplates,
  writeMail,
  writeSms,
  type TemplateValues,
} from './message-templates.ts';

const long = 'خدمة ذات اسم طويل جدا '.repeat(12);
const values: TemplateValues = {
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
  issuedDocuments: '2',
};

describe('the default templates', async () => {
  const templates = await loadMessageTemplates({ MESSAGES_FILE: undefined });
  it.each(Object.entries({ ...templates.events, ...templates.news }))(
    '%s: mail and SMS are complete in three languages, the SMS in two segments with the number and without a link',
    (_event, texts) => {
      for (const language of languages) {
        const { subject, body } = writeMail(templates, texts, language, values);
        const sms = writeSms(texts, language, values);
        expect(`${subject}${body}${sms}`).not.toMatch(/\{\{|undefined/);
        expect([
          subject.includes('DW26-75542-33634'),
          body.includes(values.link ?? ''),
          sms.includes('DW26-75542-33634'),
          sms.includes('http'),
          countSmsSegments(sms) <= 2,
        ]).toEqual([true, true, true, false, true]);
      }
    },
  );

  it('name a service provider only where one has taken on the request', () => {
    const providers = /service provider|مزود الخدمة|خدمت فراہم کنندہ/;
    const naming = Object.entries(templates.events)
      .filter(([, texts]) => Object.values(texts.text).some((text) => providers.test(text)))
      .map(([event]) => event);
    expect(naming).toEqual(['accepted']);
  });

  it('leave out a paragraph without values', () => {
    const { body } = writeMail(templates, templates.events.returned, 'en-US', {
      ...values,
      name: '',
      reasons: '',
      message: '',
    });
    expect(body).not.toMatch(/Dear|Reasons|Message from/);
    expect(
      body.startsWith(templates.events.returned.text['en-US'].split('\n\n')[0] ?? 'nothing'),
    ).toBe(true);
  });
});

it('a document without a kind of news sends no such notification', async () => {
  const { news, ...rest } = await loadMessageTemplates({ MESSAGES_FILE: undefined });
  expect(messageTemplates.parse(rest).news).toEqual({});
  expect(
    messageTemplates.parse({ ...rest, news: { refunded: news.refunded } }).news.surplus,
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
])('a document %s stops the start with an error of one line', async (content, line) => {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-templates-'));
  const file = join(folder, 'messages.json');
  if (content !== undefined) await writeFile(file, content);
  await expect(loadMessageTemplates({ MESSAGES_FILE: file })).rejects.toThrow(line);
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
])('counts the segments of %j', (text, parts) => expect(countSmsSegments(text)).toBe(parts));
