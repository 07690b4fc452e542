import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { smallPdf } from '../../api/src/testing/requests/demo-request.ts';
import { paidService } from '../../api/src/testing/requests/request-stage.ts';
import { findService, storeSession } from '../api.ts';
import { expect, test } from '../journey.ts';
import { expectAccessible, openBrowser, textsOf } from '../steps.ts';

const width = { 'ar-EG': 390, 'en-US': 1280, 'ur-PK': 390 } as const;
const words: Record<Language, { complaint: string; answer: string }> = {
  'ar-EG': {
    complaint: 'كان المكتب مغلقًا في الوقت المذكور في صفحة الخدمة.',
    answer: 'نعتذر لك، وقد صححنا مواعيد العمل في الصفحة.',
  },
  'en-US': {
    complaint: 'The office was closed at the time that the page names.',
    answer: 'We apologise, and have corrected the hours on the page.',
  },
  'ur-PK': {
    complaint: 'صفحے پر دیے گئے وقت میں دفتر بند تھا، اس لیے واپس جانا پڑا۔',
    answer: 'ہم معذرت خواہ ہیں، صفحے پر اوقات درست کر دیے گئے ہیں۔',
  },
};

async function addFile(page: Page, within: Locator, choose: string, name: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await within.getByRole('button', { name: choose }).click();
  await (await choosing).setFiles({ name, mimeType: 'application/pdf', buffer: smallPdf });
  await expect(within.getByText(name)).toBeVisible();
  await expect(within.getByRole('progressbar')).toHaveCount(0);
}

async function expectFile(page: Page, text: string, name: string): Promise<void> {
  const saving = page.waitForEvent('download');
  await page
    .getByRole('button', { name: `${text}: ${name}` })
    .first()
    .click();
  const saved = await saving;
  expect(await readFile(await saved.path())).toEqual(smallPdf);
}

for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const)
  test(`a person complains with a file, and the agency answers with one (${language})`, async ({
    browser,
  }) => {
    const t = textsOf(language);
    const screen = { language, width: width[language], height: 844 };
    // A service of the agency that `agency-rta` administers.
    const service = await findService(paidService, language);
    const { complaint, answer } = words[language];
    const email = `salem-${Date.now()}@example.ae`;
    const files = t('complaints:files.label');
    const choose = t('shell:kit.chooseFile');
    const { page, problems } = await openBrowser(browser, screen);
    await storeSession(page, 'individual');
    let reference = '';

    await test.step('the person sends a complaint with a file', async () => {
      await page.goto('/complaints');
      await page
        .getByRole('radio', { name: t('complaints:subjects.service'), exact: true })
        .check({ force: true });
      const choice = page.getByRole('combobox', { name: t('complaints:form.service') });
      await choice.fill(service.name);
      await page.getByRole('option', { name: service.name, exact: true }).click();
      const fill = (name: string, text: string) =>
        page
          .getByRole('textbox', { name: t(`complaints:form.${name}`) })
          .first()
          .fill(text);
      await fill('text', complaint);
      await fill('name', 'Salem Al Demo');
      await fill('email', email);
      await addFile(page, page.getByRole('group', { name: files }), choose, 'bill.pdf');
      await expectAccessible(page);
      await page.getByRole('button', { name: t('complaints:form.send'), exact: true }).click();
      const sent = page.getByRole('status').filter({ hasText: t('complaints:sent.title') });
      await expect(sent).toContainText('CP-');
      reference = /CP-[A-Z2-9]{10}/.exec(await sent.innerText())?.[0] ?? '';
      await expectAccessible(page);
    });

    await test.step('the agency reads the file and answers with one', async () => {
      const staff = await openBrowser(browser, { ...screen, width: 1280 });
      await storeSession(staff.page, 'agency-rta');
      await staff.page.goto('/dashboard/complaints?state=received');
      const row = staff.page.getByRole('row').filter({ hasText: reference });
      await expect(row).toContainText(complaint);
      const saving = staff.page.waitForEvent('download');
      await row.getByRole('button', { name: `${t('complaints:files.save')}: bill.pdf` }).click();
      expect(await readFile(await (await saving).path())).toEqual(smallPdf);
      await row.getByRole('button', { name: t('complaints:staff.reply'), exact: true }).click();
      const dialog = staff.page.getByRole('dialog');
      await dialog.getByRole('textbox').fill(answer);
      await addFile(staff.page, dialog.getByRole('group', { name: files }), choose, 'letter.pdf');
      await expectAccessible(staff.page);
      await dialog.getByRole('button', { name: t('complaints:staff.send'), exact: true }).click();
      await expect(dialog).toBeHidden();
      expect(staff.problems).toEqual([]);
    });

    await test.step('the person reads the answer and its file', async () => {
      await page.reload();
      await expect(page.getByText(answer)).toBeVisible();
      await expectFile(page, t('complaints:files.save'), 'letter.pdf');
      await expectAccessible(page);
    });

    await test.step('a visitor with the reference and the address reads both', async () => {
      const visitor = await openBrowser(browser, screen);
      await visitor.page.goto('/complaints');
      const find = async (address: string) => {
        await visitor.page
          .getByRole('textbox', { name: t('complaints:follow.reference') })
          .fill(reference);
        await visitor.page
          .getByRole('textbox', { name: t('complaints:form.email') })
          .last()
          .fill(address);
        await visitor.page
          .getByRole('button', { name: t('complaints:follow.find'), exact: true })
          .click();
      };
      await find('other@example.ae');
      await expect(visitor.page.getByText(t('errors:refusals.ComplaintNotFound'))).toBeVisible();
      await expect(visitor.page.getByText(answer)).toBeHidden();
      await find(email);
      await expect(visitor.page.getByText(answer)).toBeVisible();
      await expectFile(visitor.page, t('complaints:files.save'), 'bill.pdf');
      expect(visitor.problems).toEqual([]);
    });

    expect(problems).toEqual([]);
  });
