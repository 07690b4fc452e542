import { storeSession, waitUntilInEffect } from './api.ts';
import { fillForm, readService } from './fill-form.ts';
import { expect, test } from './journey.ts';
import { journeysPaymentsPort, journeysPort } from './server.ts';
import {
  expectAccessible,
  openAction,
  openBrowser,
  screens,
  signIn,
  skipIdentity,
  textsOf,
} from './steps.ts';

const serviceName = 'renew-vehicle-ownership';
const provider = new RegExp(`:${journeysPaymentsPort}/pay/`);

const screen = screens[0];
const { language } = screen;
const t = textsOf(language);

// pages.journey.ts runs axe on unchanged pages; this journey runs it on changed ones.
test(`a user renews a vehicle, pays at the second try, corrects what a clerk returns, and gets the result (${language}, ${screen.width} px)`, async ({
  browser,
}) => {
  test.setTimeout(180_000);
  // The only one of the long journeys in which pages and dialogs move.
  const person = await openBrowser(browser, { ...screen, moves: true });
  const { page } = person;
  const service = await readService(page, serviceName, language);

  await test.step('home, persona, services, search, service', async () => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/home$/);
    await page.locator('a[href*="/home/services/individuals"]').first().click();
    await expect(page).toHaveURL(/\/home\/auth\/1$/);
    await skipIdentity(page, language);
    await expect(page).toHaveURL(/\/home\/services\/individuals/);
    await page.locator('input[type=search]').first().fill(service.name);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/services/);
    await expect(page.getByRole('link', { name: service.name })).toBeVisible();
    await page.getByRole('link', { name: service.name }).click();
    await expect(page).toHaveURL(new RegExp(`/requests/Create/${serviceName}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(service.name);
  });

  await test.step('sign-in, and back to the service', async () => {
    await page
      .getByRole('button', { name: t('forms:intro.start') })
      .or(page.getByRole('link', { name: t('forms:intro.start') }))
      .first()
      .click();
    await expect(page).toHaveURL(/\/account\/login/);
    await signIn(page, language, 'driver');
    await expect(page).toHaveURL(new RegExp(`/requests/Create/${serviceName}`));
  });

  let number = '';
  await test.step('form, documents, review', async () => {
    await fillForm(page, service, language);
    await expectAccessible(page);
    // A wrong referral code is reported at its field and removed with one press; a valid one
    // shows its owner.
    await page.getByText(t('forms:referral.open')).click();
    const code = page.getByLabel(t('forms:referral.code'));
    await code.fill('DEMO-ENDED');
    await code.blur();
    await expect(page.getByText(t('errors:refusals.ReferralCodeNotValid'))).toBeVisible();
    await page.getByRole('button', { name: t('forms:referral.leaveOut') }).click();
    await expect(code).toHaveValue('');
    await code.fill(' demo palm');
    await code.blur();
    await expect(
      page.getByRole('status').filter({ hasText: t('forms:referral.valid') }),
    ).toBeVisible();
    const sendButton = page
      .getByRole('button', {
        name: new RegExp(t('forms:review.sendAndPay').split(' ')[0] ?? ''),
      })
      .last();
    await page.getByText(t('forms:review.agree')).click();
    // When the check of the code failed, sending reports it; without the code the request is
    // sent.
    await page.route('**/CheckReferralCodeValidity**', (route) => route.abort());
    await code.fill('NO-SUCH-CODE');
    await sendButton.click();
    await expect(code).toBeFocused();
    await expect(page.getByText(t('errors:refusals.ReferralCodeNotValid')).first()).toBeVisible();
    await page.getByRole('button', { name: t('forms:referral.leaveOut') }).click();
    await sendButton.click();
  });

  await test.step('declined, then paid, at the provider’s own origin', async () => {
    await expect(page).toHaveURL(provider);
    await page.locator('button[value=declined]').click();
    await expect(page).toHaveURL(new RegExp(`:${journeysPort}/payment-status\\?request-number=`));
    number = new URL(page.url()).searchParams.get('request-number') ?? '';
    await page
      .getByRole('button', { name: t('payments:failure.tryAgain') })
      .or(page.getByRole('link', { name: t('payments:failure.tryAgain') }))
      .first()
      .click();
    await expect(page).toHaveURL(provider);
    await page.locator('button[value=paid]').click();
    await expect(page).toHaveURL(/\/payment-status\?result=success/);
    // constants.journey.ts tests the automatic redirect after ten seconds.
    await page.getByRole('button', { name: t('payments:toConfirmation'), exact: true }).click();
    await expect(page).toHaveURL(/\/requests\/accepted-request/);
    await expect(page.getByText(number)).toBeVisible();
  });

  const clerk = await openBrowser(browser, screen);
  const desk = clerk.page;
  await storeSession(desk, 'employee');
  await test.step('a clerk finds it among the new ones, receives it, returns it', async () => {
    await desk.goto('/requests/new');
    await expect(desk).toHaveURL(/\/requests\/new/);
    await desk.getByRole('link', { name: number }).click();
    await expect(desk).toHaveURL(/\/requests\/request-details/);
    await openAction(desk, language, 'receive');
    await expect(desk.locator('[data-focus-id=approve]')).toBeAttached();
    await openAction(desk, language, 'return');
    await desk.getByRole('dialog').getByRole('checkbox').first().check({ force: true });
    await desk.locator('[data-focus-id~=MessageIncomplete]').fill('يرجى المراجعة');
    await expectAccessible(desk);
    await desk.getByRole('button', { name: t('requests:dialogs.returnSend') }).click();
    await expect(desk.getByRole('dialog')).toHaveCount(0);
    await waitUntilInEffect('employee', number);
  });

  await test.step('the user sees the reason and corrects it', async () => {
    await page.goto('/requests');
    await page.getByRole('listitem').filter({ hasText: number }).getByRole('link').click();
    await expect(page.getByText('يرجى المراجعة').first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: t('requests:record.correct') }).click();
    await page.locator('[data-focus-id~="answers.applicantName"]').fill('Sara Renamed');
    await expectAccessible(page);
    await page.getByText(t('requests:correct.agree')).click();
    await page.getByRole('button', { name: t('requests:correct.send') }).click();
    await page.getByText(t('requests:record.answers'), { exact: true }).click();
    await expect(page.getByText('Sara Renamed').first()).toBeVisible();
  });

  await test.step('received again and completed with a message', async () => {
    await desk.goto(`/requests/request-details?request-number=${number}`);
    await openAction(desk, language, 'receive');
    await expect(desk.locator('[data-focus-id=approve]')).toBeAttached();
    await openAction(desk, language, 'submitted');
    await desk
      .getByRole('dialog')
      .getByRole('button', { name: t('requests:dialogs.completeSend') })
      .click();
    await expect(desk.getByRole('dialog')).toHaveCount(0);
    await waitUntilInEffect('employee', number);
  });

  await test.step('the user sees the result, and everybody finds it by its number', async () => {
    await page.reload();
    await expect(page.locator('main')).toContainText('منجز');
    await expectAccessible(page);
    const visitor = await openBrowser(browser, screen);
    await visitor.page.goto(`/requests/inquiry?request-number=${number}`);
    await expect(visitor.page.locator('main')).toContainText('منجز');
    expect(visitor.problems).toEqual([]);
  });
  expect(person.problems).toEqual([]);
  expect(clerk.problems).toEqual([]);
});
