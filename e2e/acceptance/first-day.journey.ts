import type { Locator, Page } from '@playwright/test';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import {
  endPrograms,
  newDataDir,
  startProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { fillForm, readService } from '../fill-form.ts';
import { expect, test } from '../journey.ts';
import { emptyPort, emptySandboxPort } from '../server.ts';
import { openAction, openBrowser, skipIdentity, textsOf } from '../steps.ts';

const origin = `http://localhost:${emptyPort}`;
test.use({ baseURL: origin, actionTimeout: 20_000 });
test.setTimeout(600_000);
test.afterAll(endPrograms);

const desk = { language: 'en-US', width: 1440, height: 900 } as const;
const clerkDesk = { language: 'ar-EG', width: 1440, height: 900 } as const;
const phone = { language: 'ur-PK', width: 390, height: 844 } as const;
const t = textsOf('en-US');
const ur = textsOf('ur-PK');
const ar = textsOf('ar-EG');
const password = 'Quiet-Lanterns-7042!';

const textOf = (arabic: string, english: string, urdu: string): LocalizedText => ({
  'ar-EG': arabic,
  'en-US': english,
  'ur-PK': urdu,
});
const agency = textOf('هيئة البيئة', 'Environment Agency', 'ماحولیات کا ادارہ');
const category = textOf('البيئة', 'Environment', 'ماحول');
const service = textOf('تصريح زراعة شجرة', 'Tree planting permit', 'درخت لگانے کا اجازت نامہ');
const address = 'tree-planting-permit';
const speed = textOf('سرعة الإنجاز', 'How fast', 'کتنی جلدی');
const normal = textOf('عادية', 'Normal', 'عام');
const express = textOf('عاجلة', 'Express', 'فوری');
const reason = textOf('سبب الاستعجال', 'Why it is urgent', 'جلدی کی وجہ');
const plan = textOf('مخطط الموقع', 'Site plan', 'جگہ کا نقشہ');

/** Writes a text in three languages into the fields under a heading. */
async function write(scope: Locator | Page, legend: string, text: LocalizedText): Promise<void> {
  const group = scope.getByRole('group', { name: legend, exact: true }).first();
  for (const [language, value] of Object.entries(text))
    await group.locator(`textarea[lang="${language}"]`).fill(value);
}

/** Chooses from a list that filters; an open list closes when the page moves. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label, exact: true }).first();
  await expect(async () => {
    await box.fill('');
    await box.fill(option);
    await page.getByRole('option', { name: option, exact: true }).click({ timeout: 2000 });
    await box.blur();
    await expect(box).toHaveValue(option, { timeout: 1000 });
  }).toPass();
}

/** The newest message to an address, as the sandbox shows it to the recipient. */
async function readMessage(page: Page, recipient: string, what: RegExp): Promise<string> {
  const viewer = await page.context().newPage();
  const message = viewer.locator('ul.messages li').filter({ hasText: recipient }).first();
  await expect(async () => {
    await viewer.goto(`http://localhost:${emptySandboxPort}/messages`);
    await expect(message).toContainText(what, { timeout: 500 });
  }).toPass();
  const found = what.exec(await message.innerText())?.[0] ?? '';
  await viewer.close();
  return found;
}

const numberPattern = /DW\d{2}-\d{5}-\d{5}/;
const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);
const submit = (page: Page) => page.locator('main form button[type=submit]').click();

test('an empty portal is set up, a service is built and published, used in Urdu, paid and completed', async ({
  browser,
}) => {
  const program = await startProgram({
    PORT: String(emptyPort),
    SANDBOX_PORT: String(emptySandboxPort),
    DATA_DIR: await newDataDir(),
    SANDBOX: 'on',
    SEED: 'none',
    UNDO_SECONDS: '1',
  });
  await program.waitUntilReady();
  await program.waitUntil(() => program.output().includes('setup code'));
  const code = /setup code ([A-Z0-9-]{19})/.exec(program.output())?.[1] ?? '';

  const admin = await openBrowser(browser, desk);
  const { page } = admin;
  await test.step('the first administrator, with the code of the log', async () => {
    await page.goto('/setup');
    await field(page, 'code').fill(code);
    await field(page, 'fullName').fill('Mona Admin');
    await field(page, 'email').fill('mona@portal.example');
    await field(page, 'phoneNumber').fill('0501112233');
    await field(page, 'username').fill('mona');
    await field(page, 'password').fill(password);
    await field(page, 'confirmPassword').fill(password);
    await submit(page);
    await expect(page).toHaveURL(/\/dashboard-Admin$/);
  });

  const addGroup = async (kind: 'agencies' | 'categories', name: LocalizedText) => {
    await page.getByRole('button', { name: t(`catalogue:${kind}.add`) }).click();
    const dialog = page.getByRole('dialog');
    await write(dialog, t('catalogue:groups.name'), name);
    if (kind === 'categories') await write(dialog, t('catalogue:groups.description'), name);
    await dialog.getByRole('button', { name: t('catalogue:save'), exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('row').filter({ hasText: name['en-US'] })).toBeVisible();
  };
  await test.step('agency and category', async () => {
    await page.goto('/dashboard/agencies');
    await addGroup('agencies', agency);
    await page.goto('/dashboard/serviceCategories');
    await addGroup('categories', category);
  });

  const clerk = await openBrowser(browser, clerkDesk);
  await test.step('a clerk is invited by mail and joins', async () => {
    await page.goto('/dashboard/staff');
    await page.getByRole('button', { name: t('people:staff.invite') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('people:staff.fullName')).fill('Salem Clerk');
    await dialog.getByLabel(t('people:staff.email')).fill('salem@portal.example');
    await dialog
      .getByRole('checkbox', { name: new RegExp(`^${t('shell:roles.Employee')}`) })
      .check();
    await dialog.getByRole('checkbox', { name: agency['en-US'] }).check();
    await dialog.getByRole('button', { name: t('people:staff.send') }).click();
    await expect(dialog).toHaveCount(0);
    const link = await readMessage(
      page,
      'salem@portal.example',
      /http\S+\/account\/invitation#\S+/,
    );
    await clerk.page.goto(link);
    await clerk.page.getByRole('button', { name: ar('accounts:invitation.new') }).click();
    await field(clerk.page, 'phoneNumber').fill('0502223344');
    await field(clerk.page, 'username').fill('salem');
    await field(clerk.page, 'password').fill(password);
    await field(clerk.page, 'confirmPassword').fill(password);
    // The message is there for three seconds, on a busy machine before the address is read.
    await Promise.all([
      expect(clerk.page.getByText(ar('people:join.done'))).toBeVisible(),
      submit(clerk.page),
    ]);
    await expect(clerk.page).toHaveURL(/\/requests\/new$/);
  });

  await test.step('a service with a condition, a document and a fee by answer', async () => {
    await page.goto('/dashboard/services');
    await page.getByRole('button', { name: t('designer:start.new') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('designer:start.create') })
      .click();
    await expect(page).toHaveURL(/\/dashboard\/services\/\d+$/);
    await write(page, t('designer:about.name'), service);
    await write(page, t('designer:about.description'), service);
    await expect(page.getByLabel(t('designer:about.address'))).toHaveValue(address);
    await pick(page, t('designer:about.agency'), agency['en-US']);
    await pick(page, t('designer:about.category'), category['en-US']);
    await page
      .getByRole('group', { name: t('designer:about.accountTypes') })
      .getByText(/individual/i)
      .click();

    const row = (name: string | RegExp) => page.getByRole('treeitem', { name });
    const add = async (menu: string, kind: string) => {
      await page.getByRole('button', { name: menu, exact: true }).click();
      await page.getByRole('menuitem', { name: kind, exact: true }).click();
    };
    // After the last question of the only step.
    await row(/Email/).click();
    await add(t('designer:add.question'), t('designer:kinds.choice'));
    await write(page, t('designer:field.title'), speed);
    await write(page, t('designer:choices.one', { number: 1 }), normal);
    await write(page, t('designer:choices.one', { number: 2 }), express);
    await add(t('designer:add.question'), t('designer:kinds.longText'));
    await write(page, t('designer:field.title'), reason);
    await page
      .getByRole('group', { name: t('designer:condition.showWhen') })
      .getByRole('button', { name: t('designer:condition.add'), exact: true })
      .click();
    await pick(page, t('designer:condition.question'), speed['en-US']);
    await pick(page, t('designer:condition.value'), express['en-US']);
    await add(t('designer:add.other'), t('designer:parts.attachment'));
    await write(page, t('designer:attachment.title'), plan);
    await add(t('designer:add.other'), t('designer:parts.fee'));
    await write(page, t('designer:fee.title'), service);
    await page.getByRole('textbox', { name: t('designer:fee.amount'), exact: true }).fill('100');
    await add(t('designer:add.other'), t('designer:parts.fee'));
    await write(page, t('designer:fee.title'), express);
    await page.getByRole('textbox', { name: t('designer:fee.amount'), exact: true }).fill('50');
    await page
      .getByRole('group', { name: t('designer:fee.when') })
      .getByRole('button', { name: t('designer:condition.add'), exact: true })
      .click();
    await pick(page, t('designer:condition.question'), speed['en-US']);
    await pick(page, t('designer:condition.value'), express['en-US']);
    await row(t('designer:parts.outcome')).click();
    await write(page, t('designer:outcome.result'), service);
  });

  await test.step('published immediately', async () => {
    await page.getByRole('tab', { name: t('designer:tabs.publish') }).click();
    await page.getByRole('button', { name: t('designer:publish.publishNow') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('designer:publish.confirm.publish') })
      .click();
    await expect(page.getByText(t('designer:publish.done.publish'))).toBeVisible();
  });

  const person = await openBrowser(browser, phone);
  const own = person.page;
  let number = '';
  await test.step('a person finds it in Urdu, registers, fills it in and pays', async () => {
    await own.goto('/');
    await own.locator('a[href*="/home/services/individuals"]').first().click();
    await skipIdentity(own, 'ur-PK');
    await own.locator('input[type=search]').first().fill('درخت');
    await own.keyboard.press('Enter');
    await own.getByRole('link', { name: service['ur-PK'] }).first().click();
    await expect(own.getByRole('heading', { level: 1 })).toHaveText(service['ur-PK']);
    await own
      .getByRole('button', { name: ur('forms:intro.start') })
      .or(own.getByRole('link', { name: ur('forms:intro.start') }))
      .first()
      .click();
    await expect(own).toHaveURL(/\/account\/login/);
    await own.getByRole('link', { name: ur('users:login.register') }).click();
    await field(own, 'fullName').fill('Imran Khan');
    await submit(own);
    await field(own, 'email').fill('imran@mail.example');
    await field(own, 'phoneNumber').fill('0503334455');
    await submit(own);
    await field(own, 'username').fill('imran');
    await field(own, 'password').fill(password);
    await field(own, 'confirmPassword').fill(password);
    await submit(own);
    await field(own, 'code').fill(await readMessage(own, 'imran@mail.example', /\b\d{6}\b/));
    await submit(own);
    await expect(own).toHaveURL(new RegExp(`/requests/Create/${address}`));
    await fillForm(own, await readService(own, address, 'ur-PK'), 'ur-PK');
    await own.getByText(ur('forms:review.agree')).click();
    await own
      .getByRole('button', { name: new RegExp(ur('forms:review.sendAndPay').split(' ')[0] ?? '') })
      .last()
      .click();
    await own.locator('button[value=paid]').click();
    await expect(own).toHaveURL(/\/payment-status\?result=success/);
    await own.getByRole('button', { name: ur('payments:toConfirmation'), exact: true }).click();
    await expect(own).toHaveURL(/\/requests\/accepted-request/);
    // The page before is hidden while the receipt loads, and holds the number too.
    const shown = own.locator('main').getByText(numberPattern).filter({ visible: true }).first();
    number = numberPattern.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  });

  await test.step('the clerk receives and completes it', async () => {
    await clerk.page.goto('/requests/new');
    await clerk.page.getByRole('link', { name: number }).click();
    await openAction(clerk.page, 'ar-EG', 'receive');
    await openAction(clerk.page, 'ar-EG', 'submitted');
    await clerk.page
      .getByRole('dialog')
      .getByRole('button', { name: ar('requests:dialogs.completeSend') })
      .click();
    await expect(clerk.page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('the person sees that it is done', async () => {
    await own.goto('/requests');
    await own.getByRole('listitem').filter({ hasText: number }).getByRole('link').first().click();
    await expect(own.locator('main')).toContainText('مکمل');
  });
  expect([...admin.problems, ...clerk.problems, ...person.problems]).toEqual([]);
});
