import type { Locator, Page } from '@playwright/test';
import type { Answers, FormField } from '@diwan/contract/forms/forms';
import { discardDrafts, storeSession } from '../api.ts';
import { fillForm, fillStep, uploadDocuments, readService } from '../fill-form.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, signIn, textsOf } from '../steps.ts';

// every-kind.mjs adds it to the catalogue of the journeys.
const everyKindName = 'every-kind-of-field';
// Wrong input of users and attackers, and the expected messages.
const invalidAnswers: Partial<Record<FormField['kind'], { typed: string; said: string }>> = {
  text: { typed: '\u202E<script>alert(1)</script>'.repeat(6), said: 'errors:validation.tooLong' },
  date: { typed: '30/02/2020', said: 'errors:validation.date' },
  emiratesId: { typed: '784-1990-1234567-1', said: 'errors:validation.emiratesId' },
  mobile: { typed: '04 123 4567', said: 'errors:validation.mobile' },
  email: { typed: 'sara@example', said: 'errors:validation.email' },
  iban: { typed: 'AE070331234567890123457', said: 'errors:validation.iban' },
  trn: { typed: '٢٠٠١٢٣', said: 'errors:validation.trn' },
  number: { typed: '٠', said: 'errors:validation.tooSmall' },
  money: { typed: 'ten', said: 'errors:validation.wrongType' },
};
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-focus-id') ?? '');
// The focus moves after the page is drawn.
const expectFocus = (page: Page, id: string) => expect.poll(() => focused(page)).toContain(id);

const language = 'ar-EG';
const t = textsOf(language);

test(`every kind of field, empty, invalid and filled (${language}, 390 px)`, async ({
  browser,
}) => {
  test.setTimeout(150_000);
  const { page, problems } = await openBrowser(browser, { language, width: 390, height: 844 });
  const service = await readService(page, everyKindName, language);
  const at = (path: string) => page.locator(`[data-focus-id~="answers.${path}"]`);
  const goOn = () => page.getByRole('button', { name: t('forms:continue'), exact: true }).click();
  await page.goto(`/requests/Create/${everyKindName}`);
  await page
    .getByRole('button', { name: t('forms:intro.start') })
    .or(page.getByRole('link', { name: t('forms:intro.start') }))
    .first()
    .click();
  await signIn(page, language, 'individual');

  const answers: Answers = {};
  for (const [index, step] of service.form.steps.entries()) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(step.title[language]);
    await goOn();
    await expect(page.locator('form [role=alert]')).toContainText(
      step.fields[0]?.title[language] ?? '',
    );
    const tried = step.fields.filter((field) => invalidAnswers[field.kind]);
    for (const field of tried) {
      await at(field.name).fill(invalidAnswers[field.kind]!.typed);
      await at(field.name).blur();
      const message = t(invalidAnswers[field.kind]!.said, {
        minimum: field.minimum ?? '',
        maximum: field.maxLength ?? '',
      });
      await expect(
        at(field.name).locator('xpath=ancestor::*[contains(@class, "border-s-4")][1]'),
      ).toContainText(message);
      const describedBy = (await at(field.name).getAttribute('aria-describedby')) ?? '';
      expect(
        (
          await Promise.all(
            describedBy.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()),
          )
        ).join(' '),
      ).toContain(message);
    }
    await expectAccessible(page);
    if (step.name === 'home') await useGroupByKeyboard(page, step.fields);
    await fillStep(page, service, index, { answers, language });
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expectAccessible(page);
    if (step.name === 'person') {
      await expect(at('bankAccount')).toHaveValue('AE07 0331 2345 6789 0123 456');
      await expect(page.getByText(/14\d\d/).first()).toBeVisible();
      await expectWorkingLists(page, at);
      await typeHijri(page, at);
    }
    await goOn();
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('forms:documents.title'));
  // Its own step asks for the letter.
  await expect(
    page.getByText(service.attachments[0]?.title[language] ?? '', { exact: true }),
  ).toHaveCount(0);
  await uploadDocuments(page, service);
  await goOn();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('forms:review.title'));
  await expect(page.getByText('employerLetter.pdf')).toBeVisible();
  await expect(page.getByText('12345 67890')).toBeVisible();
  await expectAccessible(page);
  await page.getByText(t('forms:review.agree')).click();
  await page.getByRole('button', { name: t('forms:review.send'), exact: true }).click();
  await expect(page).not.toHaveURL(/Create/);
  expect(problems).toEqual([]);
});

// The same choice in two items, an optional group, a step that the answers hide.
for (const [username, replacedName] of [
  ['individual', 'marriage-contract'],
  ['individual', 'request-to-register-an-estate-file'],
  ['company', 'request-to-issue-commercial-permit'],
] as const)
  test(`${username} fills in ${replacedName} up to its review (${language}, 390 px)`, async ({
    browser,
  }) => {
    test.setTimeout(150_000);
    const { page, problems } = await openBrowser(browser, { language, width: 390, height: 844 });
    await discardDrafts(username, replacedName);
    await storeSession(page, username);
    await page.goto(`/requests/Create/${replacedName}#start`);
    await fillForm(page, await readService(page, replacedName, language), language);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

/** The list has two hundred options and draws them while scrolling. */
async function expectWorkingLists(page: Page, at: (path: string) => Locator): Promise<void> {
  const drawn = page.getByRole('option');
  // An open list closes when the page moves, which bringing it into view may cause.
  await expect(async () => {
    await at('personName').focus();
    await at('personNationality').focus();
    await expect(drawn.first()).toBeVisible({ timeout: 2000 });
    const before = await drawn.count();
    expect(before).toBeLessThan(100);
    await page
      .getByRole('listbox')
      .evaluate((list) => list.scrollTo(0, list.scrollHeight), undefined, { timeout: 2000 });
    await expect.poll(() => drawn.count(), { timeout: 2000 }).toBeGreaterThan(before);
  }).toPass({ timeout: 20_000 });
  await at('personNationality').press('Escape');
  await expect(at('personNationality')).not.toHaveValue('');
}

/** Typing a Hijri date works in any digits; the other calendar is shown below. */
async function typeHijri(page: Page, at: (path: string) => Locator): Promise<void> {
  await at('birthDate').fill('٩/٦/١٤٢٠');
  await at('birthDate').blur();
  await expect(
    page.getByText(new RegExp(t('forms:date.gregorian', { date: '.*1999.*' }))),
  ).toBeVisible();
  await expect(page.locator('[data-part=year]')).toHaveValue('1420');
}

async function useGroupByKeyboard(page: Page, fields: FormField[]): Promise<void> {
  const item = fields.find(({ name }) => name === 'members')?.itemTitle?.[language] ?? '';
  const add = page.locator('[data-focus-id~="answers.members"]');
  const press = async (key: string) => page.keyboard.press(key);
  await add.focus();
  await press('Enter');
  await expectFocus(page, 'members.1.item');
  await press('Tab');
  await expectFocus(page, 'answers.members.1.memberName');
  await page.keyboard.type('Second');
  await page.keyboard.press('Shift+Tab');
  // Moves back over the first item to its last control, the button to remove it.
  await page
    .getByRole('button', {
      name: t('forms:group.remove', {
        item: t('forms:group.heading', { item, number: 1 }),
      }),
      exact: true,
    })
    .focus();
  await press('Enter');
  await expectFocus(page, 'members.undo');
  await expect(page.locator('[data-focus-id~="answers.members.0.memberName"]')).toHaveValue(
    'Second',
  );
  await press('Enter');
  await expectFocus(page, 'members.0.item');
  await expect(page.locator('[data-focus-id~="answers.members.1.memberName"]')).toHaveValue(
    'Second',
  );
  await page
    .getByRole('button', {
      name: t('forms:group.remove', {
        item: t('forms:group.heading', { item, number: 2 }),
      }),
      exact: true,
    })
    .press('Enter');
  await expectFocus(page, 'members.undo');
}
