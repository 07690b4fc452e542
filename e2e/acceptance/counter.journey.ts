import { createRequest, receiveRequest } from '@diwan/contract/requests/request-actions';
import {
  makeAnswers,
  uploadRequiredDocuments,
} from '../../api/src/testing/requests/demo-request.ts';
import { call, findService, newToken, storeSession, sandboxUrl } from '../api.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, screens, textsOf, waitUntilIdle } from '../steps.ts';

// A free service, so that the request is new immediately.
const serviceName = 'register-labour-complaints-private-sector-employees';
const [person, phone] = ['individual', '+971500000008'];
const [clerk, clerkName, other] = ['employee', 'مريم العرض', 'employee2'];

async function codeOf(phone: string): Promise<string> {
  let code = '';
  await expect
    .poll(async () => {
      const page = await (
        await fetch(`${sandboxUrl}/messages?to=${encodeURIComponent(phone)}`)
      ).text();
      code =
        /(?<!\d)\d{6}(?!\d)/.exec(
          page.slice(page.indexOf('<ul class="messages')).replace(/<[^>]+>/g, ' '),
        )?.[0] ?? '';
      return code;
    })
    .not.toBe('');
  return code;
}

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);

test(`an employee helps a person at the counter, and the person sees who acted and who viewed (${language})`, async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const desk = await openBrowser(browser, screen);
  await storeSession(desk.page, clerk);
  const { page } = desk;

  await test.step('a complete identifier finds the person, and the person’s code begins the session', async () => {
    await page.goto('/requests/counter');
    await expectAccessible(page);
    await page.getByLabel(t('acting:counter.name'), { exact: true }).fill(person);
    await page.getByRole('button', { name: t('acting:counter.find'), exact: true }).click();
    await page.getByRole('button', { name: t('acting:counter.send'), exact: true }).click();
    await expectAccessible(page);
    await page.getByLabel(t('accounts:code.label'), { exact: true }).fill(await codeOf(phone));
    await page.getByRole('button', { name: t('acting:counter.begin'), exact: true }).click();
    await expect(page).toHaveURL(/\/services$/);
  });

  const bar = page.getByRole('region', { name: t('acting:bar.label'), exact: true });
  let number = '';
  await test.step('everything is done in the person’s name, also after a reload', async () => {
    await expect(bar).toBeVisible();
    await page.goto(`/requests/Create/${serviceName}`);
    await expect(bar).toBeVisible();
    await expectAccessible(page);
    const service = await findService(serviceName, language);
    const token = await page.evaluate(() => sessionStorage.getItem('token') ?? '');
    number = (
      await call(createRequest, {
        token,
        body: {
          serviceId: service.id,
          answers: makeAnswers(service.form),
          attachmentIds: await uploadRequiredDocuments({ call }, token, service),
          agreeToTermsAndConditions: true,
        },
      })
    ).body.requestNumber;
    expect(number).toMatch(/^DW/);
    // The links to the person's account are hidden, and the pages do not open.
    await page.goto('/account/profile');
    await expect(page).toHaveURL(/\/home$/);
  });
  await desk.context.close();

  await test.step('the employee may not process the own counter request', async () => {
    const list = (await (
      await fetch(
        `${new URL(page.url()).origin}/api/Request/GetRequestIdByRequestNumber?RequestNumber=${number}`,
        { headers: { authorization: `Bearer ${await newToken(clerk)}` } },
      )
    ).json()) as { requestId: number };
    expect(
      (
        await call(receiveRequest, {
          token: await newToken(clerk),
          params: { requestId: list.requestId },
          query: {},
        })
      ).refused.error,
    ).toBe('OwnCounterRequest');
    expect(
      (
        await call(receiveRequest, {
          token: await newToken(other),
          params: { requestId: list.requestId },
          query: {},
        })
      ).status,
    ).toBe(200);
  });

  const own = await openBrowser(browser, screen);
  await storeSession(own.page, person);
  await test.step('the person reads “A for you”, the access log, and the list of sessions', async () => {
    const staff = await openBrowser(browser, screen);
    await storeSession(staff.page, other);
    await staff.page.goto(`/requests/request-details?request-number=${number}`);
    await expect(staff.page.getByText(clerkName).first()).toBeVisible();
    await staff.context.close();

    await own.page.goto(`/requests/request-details?request-number=${number}`);
    await expect(
      own.page
        .getByText(
          t('requests:actors.forYou', {
            actor: t('requests:actors.employeeName', { name: `\u2068${clerkName}\u2069` }),
          }),
        )
        .first(),
    ).toBeVisible();
    await expect(own.page.getByRole('heading', { name: t('acting:reads.title') })).toBeVisible();
    await own.page.goto('/requests');
    await expect(own.page.getByRole('listitem').filter({ hasText: number })).toContainText(
      clerkName,
    );
    await own.page.goBack();
    await own.page.getByText(t('acting:reads.title'), { exact: true }).click();
    await expect(own.page.getByText(t('acting:reads.kinds.employee')).first()).toBeVisible();
    await expectAccessible(own.page);
  });
  expect([...desk.problems, ...own.problems]).toEqual([]);
  await own.context.close();
});

test('the first screen of a service says who may use it (ur-PK)', async ({ browser }) => {
  const t = textsOf('ur-PK');
  const { page, problems, context } = await openBrowser(browser, {
    language: 'ur-PK',
    width: 390,
    height: 844,
  });
  await storeSession(page, 'individual');
  await page.goto('/requests/Create/wages-protection-system-registration');
  await expect(page.getByText(t('forms:eligibility.shutTitle')).last()).toBeVisible();
  await expect(page.getByRole('button', { name: t('forms:intro.start') })).toHaveCount(0);
  await page
    .getByRole('button', { name: t('forms:eligibility.why') })
    .last()
    .click();
  await expect(page.getByRole('heading', { name: t('forms:intro.who') })).toBeFocused();
  await expectAccessible(page);

  await page.goto('/requests/Create/renew-driving-licence');
  // What the server rendered for visitors is replaced: a press on it would be lost.
  await waitUntilIdle(page);
  await page
    .getByRole('group')
    .getByRole('button', { name: t('forms:no'), exact: true })
    .click();
  await expect(page.getByText(t('forms:eligibility.notMet'))).toBeVisible();
  const fits = (await findService('issue-new-driving-licence', 'ur-PK')).name;
  await expect(page.getByRole('paragraph').getByRole('link', { name: fits })).toHaveAttribute(
    'href',
    /issue-new-driving-licence$/,
  );
  await expectAccessible(page);
  // The answer stays in this window, and can be changed.
  await page.reload();
  await expect(page.getByRole('button', { name: t('forms:intro.start') })).toHaveCount(0);
  await page.getByRole('button', { name: t('forms:eligibility.change'), exact: true }).click();
  await page
    .getByRole('group')
    .getByRole('button', { name: t('forms:yes'), exact: true })
    .click();
  await expect(page.getByRole('button', { name: t('forms:intro.start') }).last()).toBeVisible();
  expect(problems).toEqual([]);
  await context.close();
});
