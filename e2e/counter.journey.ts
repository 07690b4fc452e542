import { createRequest, receiveRequest } from '@diwan/contract/requests/requests';
import { answersFor, uploadRequired } from '../api/src/testing/demo-request.ts';
import { call, findService, newToken, plantSession, sandboxUrl } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, fillForm, openBrowser, screens, wordsOf } from './steps.ts';

// Free, so that it is new at once.
const serviceName = 'register-labour-complaints-private-sector-employees';
// Two journeys run side by side, so each has people of its own.
const people = {
  'ar-EG': {
    person: 'individual',
    phone: '+971500000008',
    clerk: 'employee',
    clerkName: 'Mariam Al Demo',
    other: 'employee2',
  },
  'en-US': {
    person: 'individual2',
    phone: '+971500000009',
    clerk: 'employee2',
    clerkName: 'Khalid Al Demo',
    other: 'employee',
  },
};

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

for (const screen of screens) {
  const { language } = screen;
  const say = wordsOf(language);
  const { person, phone, clerk, clerkName, other } = people[language];

  test(`an employee helps a person at the counter, and the person sees who did what and who looked (${language})`, async ({
    browser,
  }) => {
    test.setTimeout(120_000);
    const desk = await openBrowser(browser, screen);
    await plantSession(desk.page, clerk);
    const { page } = desk;

    await test.step('nobody is searched for; the person’s code begins it', async () => {
      await page.goto('/requests/counter');
      await expectAccessible(page);
      await page.getByLabel(say('acting:counter.name'), { exact: true }).fill('Sara');
      await page.keyboard.press('Enter');
      await expect(page.getByText(say('errors:refusals.PersonNotFound')).first()).toBeVisible();
      await page.getByLabel(say('acting:counter.name'), { exact: true }).fill(person);
      await page.getByRole('button', { name: say('acting:counter.find'), exact: true }).click();
      await page.getByRole('button', { name: say('acting:counter.send'), exact: true }).click();
      await expectAccessible(page);
      await page.getByLabel(say('accounts:code.label'), { exact: true }).fill(await codeOf(phone));
      await page.getByRole('button', { name: say('acting:counter.begin'), exact: true }).click();
      await expect(page).toHaveURL(/\/services$/);
    });

    const bar = page.getByRole('region', { name: say('acting:bar.label'), exact: true });
    let number = '';
    await test.step('everything is done in the person’s name, also after a reload', async () => {
      await expect(bar).toBeVisible();
      await page.goto(`/requests/Create/${serviceName}`);
      await expect(bar).toBeVisible();
      await expectAccessible(page);
      const service = await findService(serviceName, language);
      if (language === 'ar-EG') {
        await page
          .getByRole('button', { name: say('forms:intro.start') })
          .last()
          .click();
        await fillForm(page, service, language);
        await page.getByText(say('forms:review.agree')).click();
        await page
          .getByRole('button', { name: say('forms:review.send'), exact: true })
          .last()
          .click();
        await expect(page).toHaveURL(/\/requests\/accepted-request/);
        number = await page
          .locator('main')
          .getByText(/^DW\d{2}-\d{5}-\d{5}$/)
          .first()
          .innerText();
      } else {
        const token = await page.evaluate(() => sessionStorage.getItem('token') ?? '');
        number = (
          await call(createRequest, {
            token,
            body: {
              serviceId: service.id,
              answers: answersFor(service.form),
              attachmentIds: await uploadRequired({ call }, token, service),
              agreeToTermsAndConditions: true,
            },
          })
        ).body.requestNumber;
      }
      expect(number).toMatch(/^DW/);
      // The way to the person's account is not there, and does not open.
      await page.goto('/account/profile');
      await expect(page).toHaveURL(/\/home$/);
    });
    await desk.context.close();

    await test.step('the maker leaves it to others', async () => {
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
    await plantSession(own.page, person);
    await test.step('the person reads “A for you”, who looked, and where they are signed in', async () => {
      const staff = await openBrowser(browser, screen);
      await plantSession(staff.page, other);
      await staff.page.goto(`/requests/request-details?request-number=${number}`);
      await expect(staff.page.getByText(clerkName).first()).toBeVisible();
      await staff.context.close();

      await own.page.goto(`/requests/request-details?request-number=${number}`);
      await expect(
        own.page
          .getByText(
            say('requests:actors.forYou', {
              actor: say('requests:actors.employeeName', { name: `\u2068${clerkName}\u2069` }),
            }),
          )
          .first(),
      ).toBeVisible();
      await expect(
        own.page.getByRole('heading', { name: say('acting:reads.title') }),
      ).toBeVisible();
      await own.page.goto('/requests');
      await expect(own.page.getByRole('listitem').filter({ hasText: number })).toContainText(
        clerkName,
      );
      await own.page.goBack();
      await expect(own.page.getByText(say('acting:reads.kinds.employee')).first()).toBeVisible();
      await expectAccessible(own.page);
    });
    expect([...desk.problems, ...own.problems]).toEqual([]);
    await own.context.close();
  });
}

test('ending leads the employee back to their own session (ur-PK)', async ({ browser }) => {
  const screen = { language: 'ur-PK', width: 390, height: 844 } as const;
  const say = wordsOf('ur-PK');
  const { page, problems, context } = await openBrowser(browser, screen);
  await plantSession(page, 'employee');
  await page.goto('/requests/counter');
  await page.getByLabel(say('acting:counter.name'), { exact: true }).fill('company@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: say('acting:counter.send'), exact: true }).click();
  await page
    .getByLabel(say('accounts:code.label'), { exact: true })
    .fill(await codeOf('+971500000006'));
  await page.keyboard.press('Enter');
  const bar = page.getByRole('region', { name: say('acting:bar.label'), exact: true });
  await expect(bar).toContainText('Yousef Al Demo');
  await page.reload();
  await bar.getByRole('button', { name: say('acting:bar.end'), exact: true }).click();
  await expect(page).toHaveURL(/\/requests\/counter$/);
  await expect(bar).toHaveCount(0);
  // Signed in as themselves, without a password.
  await page.goto('/requests/new');
  await expect(page).toHaveURL(/\/requests\/new$/);
  expect(problems).toEqual([]);
  await context.close();
});

test('who may use a service is told on its first screen (ur-PK)', async ({ browser }) => {
  const say = wordsOf('ur-PK');
  const { page, problems, context } = await openBrowser(browser, {
    language: 'ur-PK',
    width: 390,
    height: 844,
  });
  await plantSession(page, 'individual');
  await page.goto('/requests/Create/wages-protection-system-registration');
  await expect(page.getByText(say('forms:eligibility.shutTitle')).last()).toBeVisible();
  await expect(page.getByRole('button', { name: say('forms:intro.start') })).toHaveCount(0);
  await page
    .getByRole('button', { name: say('forms:eligibility.why') })
    .last()
    .click();
  await expect(page.getByRole('heading', { name: say('forms:intro.who') })).toBeFocused();
  await expectAccessible(page);

  await page.goto('/requests/Create/renew-driving-licence');
  await page
    .getByRole('group')
    .getByRole('button', { name: say('forms:no'), exact: true })
    .click();
  await expect(page.getByText(say('forms:eligibility.notMet'))).toBeVisible();
  const fits = (await findService('issue-new-driving-licence', 'ur-PK')).name;
  await expect(page.getByRole('paragraph').getByRole('link', { name: fits })).toHaveAttribute(
    'href',
    /issue-new-driving-licence$/,
  );
  await expectAccessible(page);
  // The answer stays in this window, and can be changed.
  await page.reload();
  await expect(page.getByRole('button', { name: say('forms:intro.start') })).toHaveCount(0);
  await page.getByRole('button', { name: say('forms:eligibility.change'), exact: true }).click();
  await page
    .getByRole('group')
    .getByRole('button', { name: say('forms:yes'), exact: true })
    .click();
  await expect(page.getByRole('button', { name: say('forms:intro.start') }).last()).toBeVisible();
  expect(problems).toEqual([]);
  await context.close();
});
