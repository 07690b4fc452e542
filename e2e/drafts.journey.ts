import { logout } from '@diwan/contract/people/users';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { call, findService, discardDrafts, newToken, storeSession } from './api.ts';
import { fillForm, readService } from './fill-form.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, signIn, switchLanguage, textsOf } from './steps.ts';

const serviceName = 'register-labour-complaints-private-sector-employees';
const phone = { language: 'ar-EG', width: 390, height: 844 } as const;

test('input survives a broken network, another language, the end of the session and another device, and is sent once (ar-EG, then ur-PK, 390 px)', async ({
  browser,
}) => {
  const username = 'individual2';
  await discardDrafts(username, serviceName);
  const { context, page, problems } = await openBrowser(browser, phone);
  const [arabic, urdu] = [textsOf('ar-EG'), textsOf('ur-PK')];
  await storeSession(page, username);
  const service = await findService(serviceName, 'ar-EG');
  const name = page.locator('[data-focus-id~="answers.applicantName"]');
  const email = page.locator('[data-focus-id~="answers.applicantEmail"]');
  const saving = page.locator('[data-saving]');

  await page.goto(`/requests/Create/${serviceName}#${service.form.steps[0]?.name ?? ''}`);
  await expect(email).toHaveValue(/@/);
  await name.fill('مريم');
  await expect(saving).toHaveAttribute('data-saving', 'saved');

  await context.setOffline(true);
  await name.pressSequentially(' أحمد');
  await expect(saving).toHaveAttribute('data-saving', 'device');
  await expect(
    page.getByRole('status').filter({ hasText: arabic('saving:device') }),
  ).toBeAttached();
  await name.pressSequentially(' علي');
  await context.setOffline(false);
  await expect(saving).toHaveAttribute('data-saving', 'saved');

  // Changes the language while typing.
  await name.pressSequentially(' ال');
  await switchLanguage(page, 'ar-EG', 'ur-PK');
  await expect(name).toHaveValue('مريم أحمد علي ال');
  await expectAccessible(page);

  // Another device writes in another field, and both devices get both values.
  const other = await openBrowser(browser, { language: 'en-US', width: 1280, height: 900 });
  await storeSession(other.page, username);
  await expect(saving).toHaveAttribute('data-saving', 'saved');
  await other.page.goto('/requests');
  // The list of requests, which loads apart from the drafts, has links of the same name.
  await other.page
    .locator('a[href^="/requests/Create/"]')
    .getByText((await findService(serviceName)).name, { exact: true })
    .first()
    .click();
  const [otherName, otherEmail] = [
    other.page.locator('[data-focus-id~="answers.applicantName"]'),
    other.page.locator('[data-focus-id~="answers.applicantEmail"]'),
  ];
  await expect(otherName).toHaveValue('مريم أحمد علي ال');
  await otherEmail.fill('maryam@example.ae');
  await expect(other.page.locator('[data-saving]')).toHaveAttribute('data-saving', 'saved');
  await name.fill('مريم أحمد');
  await expect(email).toHaveValue('maryam@example.ae');
  await expect(saving).toHaveAttribute('data-saving', 'saved');

  expect(other.problems).toEqual([]);
  await other.context.close();

  await page.reload();
  await fillForm(page, await readService(page, serviceName, 'ur-PK'), 'ur-PK');
  await expect(saving).toHaveAttribute('data-saving', 'saved');
  // Another device ends the session on the review page.
  await call(logout, { token: await page.evaluate(() => sessionStorage.getItem('token') ?? '') });
  await page.getByRole('checkbox', { name: urdu('forms:review.agree') }).check();
  const sendButton = page.getByRole('button', { name: urdu('forms:review.send'), exact: true });
  await sendButton.click();
  await expect(page).toHaveURL(/\/account\/login$/);
  await signIn(page, 'ur-PK', username);
  await expect(page).toHaveURL(/#review$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(urdu('forms:review.title'));
  await page.getByRole('checkbox', { name: urdu('forms:review.agree') }).check();
  // The reply is lost, and the browser repeats the call with its key.
  let isFirst = true;
  const numbers: string[] = [];
  await page.route('**/api/Request/CreateRequest*', async (route) => {
    const answer = await route.fetch();
    numbers.push(((await answer.json()) as { requestNumber: string }).requestNumber);
    if (!isFirst) return route.fulfill({ response: answer });
    isFirst = false;
    return route.abort();
  });
  await sendButton.click();
  await expect(page).toHaveURL(/\/requests\/accepted-request$/);
  expect(new Set(numbers).size).toBe(1);
  expect(numbers).toHaveLength(2);
  const fresh = await newToken(username);
  expect(
    (await call(getDrafts, { token: fresh })).body.filter(
      ({ serviceId }) => serviceId === service.id,
    ),
  ).toEqual([]);
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))),
    )
    .toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});
