import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import * as services from '@diwan/contract/catalogue/services';
import { generateDynamicSitemapFile } from '@diwan/contract/content/sitemap';
import { listedPages, pageList, type Page } from '@diwan/contract/portal/page-list';
import { languages } from '@diwan/contract/wire/languages';
import { openCatalogue } from '../services/services.actions.ts';
import { headOf } from './page-heads.ts';
import { writeRobots, writeSitemap } from './sitemap.routes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PORTAL_DIR: '/no/such/folder' });
});
afterAll(() => app.close());

const file = (headers: Record<string, string> = {}) =>
  app.server.inject({ url: '/sitemap.xml', headers });

/**
 * Reads XML strictly: every element must have its own end tag. Returns each element with its
 * attributes and text.
 */
function readXml(
  xml: string,
): { name: string; attributes: Record<string, string>; text: string }[] {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: typeof found = [];
  const rest = xml
    .replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*/, '')
    .replace(
      /<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/g,
      (_whole, end: string, name: string, given: string, isEmpty: string, text?: string) => {
        if (text !== undefined) {
          expect(text.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
          const last = open.at(-1);
          if (last) last.text += text;
          else expect(text.trim()).toBe('');
        } else if (end) expect(open.pop()?.name).toBe(name);
        else {
          const element = {
            name,
            attributes: Object.fromEntries(
              [...given.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
                key,
                value,
              ]),
            ),
            text: '',
          };
          found.push(element);
          if (!isEmpty) open.push(element);
        }
        return '';
      },
    );
  expect([rest, open]).toEqual(['', []]);
  return found;
}

describe('the file for search engines', () => {
  test('is valid XML with absolute and unique addresses, within the limit of the protocol', async () => {
    const { statusCode, headers, body } = await file();
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const elements = readXml(body);
    expect(elements[0]).toMatchObject({
      name: 'urlset',
      attributes: {
        xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9',
        'xmlns:xhtml': 'http://www.w3.org/1999/xhtml',
      },
    });
    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(['urlset', 'url', 'loc', 'lastmod', 'xhtml:link']),
    );
    expect(
      body.match(
        /<url><loc>[^<]+<\/loc>(<lastmod>\d{4}-\d\d-\d\d<\/lastmod>)?(<xhtml:link [^>]+\/>){4}<\/url>\n/g,
      ),
    ).toHaveLength(elements.filter(({ name }) => name === 'url').length);
    const addresses = elements.filter(({ name }) => name === 'loc').map(({ text }) => text);
    const { body: all } = await app.call(services.getServices, { query: { PageSize: 1 } });
    expect(addresses).toHaveLength(
      languages.length *
        (all.totalCount + listedPages.filter(({ listed }) => listed.isForSearch !== false).length),
    );
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses.length).toBeLessThanOrEqual(50_000);
    for (const address of addresses)
      expect(new URL(address.replaceAll('&amp;', '&')).origin).toBe('http://localhost:3000');
  });

  test('lists the translations of each address, and each translation lists it', async () => {
    const alternates = new Map<string, string>();
    for (const [, address = '', links = ''] of (await file()).body.matchAll(
      /<url><loc>([^<]+)<\/loc>(.*?)<\/url>/g,
    ))
      alternates.set(address, links.slice(links.indexOf('<xhtml')));
    for (const [address, links] of alternates) {
      const named = [...links.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(
        ([, tag, href]) => [tag, href] as const,
      );
      expect(named.map(([tag]) => tag)).toEqual([...languages, 'x-default']);
      expect(named.map(([, href]) => href)).toContain(address);
      expect(named[3]?.[1]).toBe(named[0]?.[1]);
      for (const [, href = ''] of named) expect(alternates.get(href)).toBe(links);
    }
  });

  test('contains every service, changes with the catalogue, and answers 304 when it is unchanged', async () => {
    const { headers, body } = await file();
    expect(body).toContain('/requests/Create/visa-extension?ln=ur-PK<');
    expect((await file({ 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
    const {
      body: { serviceId },
    } = await app.call(services.getServiceIdByServiceName, {
      query: { serviceName: 'visa-extension' },
    });
    await app.call(services.deleteService, {
      params: { serviceId },
      token: await app.signIn('admin'),
    });
    const later = await file({ 'if-none-match': String(headers.etag) });
    expect(later.statusCode).toBe(200);
    expect(later.body).not.toContain('visa-extension');
  });

  test('contains at most as many addresses as the protocol allows, and escapes names', async () => {
    const [service] = (await openCatalogue(app.database)).list();
    const xml = writeSitemap(
      Array.from({ length: 20_000 }, (_, index) => ({
        ...service!,
        replacedName: `a&b<c>"'${index}`,
      })),
      'https://diwan.example',
      () => undefined,
    );
    expect(xml.match(/<url>/g)!.length).toBeLessThanOrEqual(50_000);
    expect(xml.length).toBeLessThan(50 * 1024 * 1024);
    readXml(xml.split('\n').slice(0, 60).join('\n').concat('</urlset>'));
  });

  test('is not sent to a browser that opens the address as a page', async () => {
    const reply = await file({ 'sec-fetch-dest': 'document', accept: 'text/html' });
    expect(reply.headers['content-type']).not.toContain('xml');
    expect(reply.headers.vary).toContain('sec-fetch-dest');
  });
});

describe('generateDynamicSitemapFile', () => {
  test.each(languages)(
    'lists every service once, by agency and by name, in %s',
    async (language) => {
      const { body } = await app.call(generateDynamicSitemapFile, { language });
      const { body: all } = await app.call(services.getServices, { query: { PageSize: 1 } });
      const names = body.agencies.flatMap((agency) =>
        agency.services.map(({ replacedName }) => replacedName),
      );
      expect(names).toHaveLength(all.totalCount);
      expect(new Set(names).size).toBe(names.length);
      for (const { services: own } of body.agencies)
        expect(own.map(({ name }) => name)).toEqual(
          own.map(({ name }) => name).toSorted(new Intl.Collator(language).compare),
        );
      expect((await app.server.inject({ url: body.fileName })).statusCode).toBe(200);
    },
  );
});

describe('robots.txt', () => {
  test('allows pages and the calls that they make, and names the site map', async () => {
    const { headers, body } = await app.server.inject({ url: '/robots.txt' });
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('Allow: /api/Service/\n');
    expect(body).toContain('Disallow: /api/\n');
    expect(body).toMatch(/\n\nSitemap: http:\/\/localhost:3000\/sitemap\.xml\n$/);
  });

  test('disallows everything when the portal must not be indexed', () => {
    expect(writeRobots('https://testing.diwan.example', false)).toBe(
      'User-agent: *\nDisallow: /\n',
    );
  });
});

test('the server knows every path of the portal', async () => {
  const catalogue = await openCatalogue(app.database);
  const examples: Record<string, string> = {
    ':serviceName': 'renew-trade-licence',
    ':accountType?': 'individuals',
  };
  const paths = pageList.map(({ path }) =>
    path.replaceAll(/:[\w?]+/g, (parameter) => examples[parameter] ?? '2'),
  );
  const headAt = (path: string) => headOf(catalogue, '', path, 'en-US');
  // `/not-found` itself shows that the page does not exist.
  expect(paths.filter((path) => headAt(path).status === 404)).toEqual(['/not-found']);
  const isIndexed = ({ name, listed }: Page) =>
    name === 'root' || (listed !== undefined && listed.isForSearch !== false);
  const others = pageList.filter(({ name }) => name !== 'createRequest');
  expect(others.filter(({ address }) => headAt(address).path !== undefined)).toEqual(
    others.filter(isIndexed),
  );
  for (const path of ['/home/services/nobody', '/dashboard/no-such-page', '/companies/my-requests'])
    expect(headAt(path).status, path).toBe(404);
});
