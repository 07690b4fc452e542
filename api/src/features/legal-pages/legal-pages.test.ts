import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { portalDetails, setPortalDetails } from '#platform/portal/portal-details.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  getLegalOrder,
  getLegalPage,
  getLegalPageVersion,
  legalPageNames,
  previewLegalText,
  saveLegalOrder,
  type LegalPageName,
} from '@diwan/contract/content/legal-pages';
import { findLegalTextIssue, readLegalText } from '@diwan/contract/content/legal-text';
import { savePortalDetails, getPortalDetails } from '@diwan/contract/content/portal-details';
import { saveText } from '@diwan/contract/content/texts';
import { storedIn } from '@diwan/contract/portal/browser-storage';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { openLegalPages } from './legal-pages.actions.ts';

const app = useTestApp({
  DRAFT_DAYS: '77',
  UNUSED_ATTACHMENT_DAYS: '11',
  MESSAGE_DAYS: '141',
  NOTIFICATION_DAYS: '63',
  SESSION_SECONDS: '18000',
  READERS_SHOWN: 'name',
});

async function pageOf(Page: LegalPageName, language: Language = 'en-US') {
  const { body } = await app.call(getLegalPage, { query: { Page }, language });
  return body;
}
const textOf = async (page: LegalPageName, section: string, language: Language = 'en-US') =>
  (await pageOf(page, language)).sections.find(({ id }) => id === section)?.text ?? '';

const change = async (key: string, text: string, version = 0) =>
  app.callAs('admin', saveText, {
    body: { noun: 'legal', key, version, texts: [{ language: 'en-US', form: '', text }] },
    language: 'en-US',
  });

describe('a page of legal text', () => {
  it.each(languages)('has its sections and no open placeholder in %s', async (language) => {
    for (const name of legalPageNames) {
      const { sections, changedAt, versions, id } = await pageOf(name, language);
      expect(sections.length, name).toBeGreaterThan(5);
      for (const { title, text } of sections) {
        expect(`${title}${text}`, name).not.toMatch(/\{\{|\$t\(/);
        expect(findLegalTextIssue(text), `${name} ${title}`).toBe(undefined);
      }
      expect(versions.map((version) => version.id)).toContain(id);
      expect(Date.now() - new Date(changedAt).getTime()).toBeLessThan(600_000);
    }
  });

  it('has the same blocks in every language', async () => {
    const shape = (text: string) =>
      readLegalText(text).map((block) => {
        if (block.kind === 'list') return `list ${block.items.length}`;
        return block.kind === 'table'
          ? `table ${block.headings.length} x ${block.rows.length}`
          : block.kind;
      });
    for (const name of legalPageNames) {
      const [arabic, ...others] = await Promise.all(
        languages.map((language) => pageOf(name, language)),
      );
      for (const other of others)
        expect(other.sections.map(({ id, text }) => [id, shape(text)])).toEqual(
          arabic!.sections.map(({ id, text }) => [id, shape(text)]),
        );
    }
  });

  it('names the periods, the readers and the providers of this deployment', async () => {
    const keeping = await textOf('privacy', 'keeping');
    expect(keeping).toContain('| 77 days after you last saved it |');
    expect(keeping).toContain('| 11 days after it was uploaded |');
    expect(keeping).toContain('| after 141 days |');
    expect(keeping).toContain('| after 63 days |');
    expect(keeping).toContain('| 5 hours after signing in, or 60 minutes without use |');
    expect(await textOf('privacy', 'sharing')).toContain('You see their names');
    expect(await textOf('privacy', 'processors')).toContain('Emails do not leave the portal');
    expect(await textOf('privacy', 'keeping', 'ar-EG')).toContain('77 يومًا');
  });

  it.each(languages)('lists everything that browsers store in %s', async (language) => {
    const { sections } = await pageOf('storage', language);
    const rowsIn = (section: string) =>
      readLegalText(sections.find(({ id }) => id === section)?.text ?? '').flatMap((block) =>
        block.kind === 'table' ? block.rows : [],
      );
    for (const [section, place] of [
      ['cookies', 'cookie'],
      ['device', 'local'],
      ['tab', 'session'],
      ['messages', 'worker'],
    ] as const) {
      const rows = rowsIn(section).map((cells) => cells.map(([span]) => span));
      expect(rows.map(([name]) => name)).toEqual(
        storedIn(place).map(({ name }) => ({ text: name.replace('*', '…'), isCode: true })),
      );
      for (const [, ...cells] of rows)
        expect(cells.every((cell) => /^[^.]*\p{L}/u.test(cell?.text ?? ''))).toBe(true);
    }
    expect(JSON.stringify(rowsIn('cookies')[1])).toContain(
      { 'ar-EG': '90 يومًا', 'en-US': '90 days', 'ur-PK': '90 دن' }[language],
    );
  });

  it('names support as an administrator has set it, and keeps the version before', async () => {
    const before = await pageOf('privacy');
    const { body } = await app.callAs('admin', getPortalDetails);
    const saved = await app.callAs('admin', savePortalDetails, {
      body: {
        ...body,
        supportEmail: 'help@ministry.example',
        bannerFrom: undefined,
        bannerUntil: undefined,
      },
    });
    expect(saved.status).toBe(200);
    await expect
      .poll(() => textOf('privacy', 'officer'), { timeout: 5000 })
      .toContain('[help@ministry.example](mailto:help@ministry.example)');
    const after = await pageOf('privacy');
    expect(after.id).toBeGreaterThan(before.id);
    expect(after.versions.map(({ id }) => id).slice(0, 2)).toEqual([after.id, before.id]);
    const old = await app.call(getLegalPageVersion, { query: { Id: before.id } });
    expect(old.body).toMatchObject({ page: 'privacy', id: before.id, changedAt: before.changedAt });
    expect(old.body.sections.find(({ id }) => id === 'officer')?.text).not.toContain('ministry');
  });
});

describe('an edit at /dashboard/texts', () => {
  it('adds sections, lists, tables and links, and moves the date of the change', async () => {
    const before = await pageOf('terms');
    const saved = await change(
      'terms.use.text',
      'Read on.\n- one\n- two\n## Branches of {{draftPeriod}}\n| City | Hours |\n| Abu Dhabi | [8 to 3](https://hours.example) |',
    );
    expect(saved.status).toBe(200);
    await expect
      .poll(async () => (await pageOf('terms')).id, { timeout: 5000 })
      .toBeGreaterThan(before.id);
    const after = await pageOf('terms');
    expect(after.changedAt > before.changedAt).toBe(true);
    expect(after.sections.slice(0, 2)).toEqual([
      { id: 'use', title: before.sections[0]!.title, text: 'Read on.\n- one\n- two' },
      {
        id: 'use-2',
        title: 'Branches of 77 days',
        text: '| City | Hours |\n| Abu Dhabi | [8 to 3](https://hours.example) |',
      },
    ]);
    const day = new Date(Date.now() + 4 * 3_600_000).toISOString().slice(0, 10);
    const { body } = await app.server.inject({ url: '/sitemap.xml' });
    expect(body).toMatch(
      new RegExp(`<loc>[^<]*/terms-and-conditions[^<]*</loc><lastmod>${day}</lastmod>`),
    );
  });

  it('refuses an unknown fact, a wrong link and an uneven table beside the field', async () => {
    for (const [text, message] of [
      ['{{nothing}}', '{{nothing}}'],
      ['[a](javascript:alert(1))', 'javascript'],
      ['| a | b |\n| c |', 'row'],
      ['# Title', 'heading'],
    ] as const) {
      const { status, refused } = await change('privacy.law.text', text);
      expect(status).toBe(400);
      expect(JSON.stringify(refused.errors?.['texts.en-US'])).toContain(message);
    }
  });
});

describe('the order of sections', () => {
  const orderOf = async () =>
    (await app.callAs('admin', getLegalOrder, { query: { Page: 'dataSharing' } })).body;
  const save = async (version: number, shown: string[]) =>
    app.callAs('admin', saveLegalOrder, { body: { page: 'dataSharing', version, shown } });
  const idsOf = async () => (await pageOf('dataSharing')).sections.map(({ id }) => id);

  it('is changed, with sections removed and brought back, as a new version', async () => {
    const before = await pageOf('dataSharing');
    const { version, shown } = await orderOf();
    const keys = shown.map(({ key }) => key);
    const saved = await save(version, ['parties', 'scope', ...keys.slice(2, -1)]);
    expect([saved.status, saved.body.removed.map(({ key }) => key)]).toEqual([200, ['law']]);
    expect((await idsOf()).slice(0, 2)).toEqual(['parties', 'scope']);
    expect(await idsOf()).not.toContain('law');
    expect((await pageOf('dataSharing')).id).toBeGreaterThan(before.id);
    const { version: next } = await orderOf();
    expect((await save(next, keys)).status).toBe(200);
    expect(await idsOf()).toEqual(keys);
  });

  it('is refused over a version that has changed, and with wrong sections', async () => {
    const { version, shown } = await orderOf();
    const keys = shown.map(({ key }) => key);
    const [one, other] = await Promise.all([save(version, keys), save(version, keys)]);
    expect([one.status, other.status].toSorted()).toEqual([200, 400]);
    for (const wrong of [['nothing'], ['scope', 'scope']])
      expect((await save(version + 1, wrong)).refused.errors).toHaveProperty('shown');
  });
});

it('previews a text with the facts of this deployment, and changes nothing', async () => {
  const before = await pageOf('privacy');
  const text = 'Kept for {{draftPeriod}}.\n## More\n- $t(shell:navigation.myRequests)';
  const { body } = await app.callAs('admin', previewLegalText, {
    body: {
      key: 'privacy.keeping.text',
      texts: { 'ar-EG': 'نص', 'en-US': text, 'ur-PK': '' },
    },
  });
  expect(body.sections['en-US']).toEqual([
    { id: 'keeping', title: 'How long we keep it', text: 'Kept for 77 days.' },
    { id: 'keeping-2', title: 'More', text: '- My requests' },
  ]);
  expect(body.sections['ur-PK']).toEqual([]);
  expect((await pageOf('privacy')).id).toBe(before.id);
  const other = await app.callAs('admin', previewLegalText, {
    body: { key: 'terms.none.text', texts: { 'ar-EG': '', 'en-US': '', 'ur-PK': '' } },
  });
  expect(other.refused.error).toBe('TextNotFound');
});

it('publishes once for processes that start at the same time, and nothing for a restart', async () => {
  const count = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from legal_page_versions`.execute(app.database);
    return rows[0]!.n;
  };
  const context = {
    config: { ...app.config, DRAFT_DAYS: 5 },
    configuration: { content: () => ({}), version: () => 1 },
    integrations: { paymentProviders: new Map() },
  } as never;
  const before = await count();
  const [one, other] = [
    openLegalPages(app.database, context),
    openLegalPages(app.database, context),
  ];
  await Promise.all([one.refresh(), other.refresh()]);
  const published = (await count()) - before;
  expect(published).toBeGreaterThan(0);
  expect(one.inForce('privacy')).toEqual(other.inForce('privacy'));
  await openLegalPages(app.database, context).refresh();
  await one.refresh();
  expect(await count()).toBe(before + published);
});

it('leaves out the lines about support and UAE PASS where the portal has none', async () => {
  const details = portalDetails();
  setPortalDetails({ ...details, supportEmail: '', supportPhone: '' });
  const bare = openLegalPages(app.database, {
    config: app.config,
    configuration: { content: () => ({}), version: () => 1 },
    integrations: { paymentProviders: new Map() },
  } as never);
  await bare.refresh();
  const textIn = (page: LegalPageName) =>
    JSON.stringify(bare.get(page, 'ar-EG').sections.map(({ title, text }) => [title, text]));
  // What this release can store is listed whole.
  for (const page of legalPageNames.filter((name) => name !== 'storage'))
    expect(textIn(page)).not.toMatch(/UAE PASS|الدعم|أسفل|\0/);
  expect(bare.get('accessibility', 'en-US').sections.map(({ id }) => id)).not.toContain('feedback');
  setPortalDetails(details);
  expect(await textOf('privacy', 'collected')).toContain('from UAE PASS');
});

it('never changes a version', async () => {
  await expect(
    sql`update legal_page_versions set hash = 'x'`.execute(app.database),
  ).rejects.toThrow('append-only');
  const missing = await app.call(getLegalPageVersion, { query: { Id: 2_000_000_000 } });
  expect([missing.status, missing.refused.error]).toEqual([404, 'LegalPageNotFound']);
});
