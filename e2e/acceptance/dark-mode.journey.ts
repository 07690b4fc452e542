import { pages } from '@diwan/contract/portal/pages';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { Language } from '@diwan/contract/wire/languages';
import { call, newToken, storeSession } from '../api.ts';
import { expect, test } from '../journey.ts';
import { runSniffer } from '../second-engine.ts';
import { expectAccessible, openBrowser, textsOf } from '../steps.ts';

async function numberOf(username: string, tone: string): Promise<string> {
  const { body } = await call(getRequestsByStatusId, {
    token: await newToken(username),
    query: { Take: 50 },
  });
  const found = body.items.find(({ statusTone }) => statusTone === tone);
  if (!found) throw new Error(`${username} has no request that is ${tone}`);
  return found.requestNumber;
}

const details = async (username: string, tone: string) =>
  `/requests/request-details?request-number=${await numberOf(username, tone)}`;

const visits: {
  who: string;
  language: Language;
  width: number;
  paths: () => Promise<string[]>;
}[] = [
  {
    who: 'individual',
    language: 'ur-PK',
    width: 390,
    paths: async () => [
      pages.individuals.path,
      pages.services.path,
      pages.myRequests.path,
      await details('individual', 'waiting'),
      await details('individual', 'done'),
      '/requests/Create/register-labour-complaints-private-sector-employees#documents',
    ],
  },
  {
    who: 'employee',
    language: 'ar-EG',
    width: 1440,
    paths: async () => [
      pages.newRequests.path,
      `${pages.allRequests.path}?sort=service`,
      pages.processingRequests.path,
    ],
  },
];

for (const { who, language, width, paths } of visits)
  test(`pages of ${who} can be read in dark mode by two engines (${language}, ${width} px)`, async ({
    browser,
  }) => {
    const { page, problems } = await openBrowser(browser, { language, width, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await storeSession(page, who);
    for (const path of await paths())
      await test.step(path, async () => {
        await page.goto(path);
        await expect(page.locator('main h1')).toBeVisible();
        await expectAccessible(page);
        expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark');
        expect.soft(await runSniffer(page), path).toEqual([]);
      });
    if (who === 'employee') {
      // Three panes: the list, the request and its document.
      await page.locator('tbody .row-link').first().click();
      await expect(page.locator('[data-document]')).toBeVisible();
      await expect(page.getByRole('complementary').first()).toBeVisible();
      await expectAccessible(page);
      expect.soft(await runSniffer(page), 'three panes').toEqual([]);
    } else {
      // The moment of the result begins with it: a document, or a certificate.
      await page.goto(await details(who, 'done'));
      const t = textsOf(language);
      await expect(
        page
          .getByRole('region', { name: t('requests:record.readyOne') })
          .or(page.getByRole('region', { name: t('certificates:download.title') })),
      ).toBeVisible();
    }
    expect(problems).toEqual([]);
  });
