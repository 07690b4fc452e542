import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { findAccessibilityProblems } from '../../../e2e/page-inspection.ts';
import { findAxeProblems, findSnifferProblems } from '../testing/find-accessibility-problems.ts';
import { renderComponent, useLanguageOfTest } from '../testing/render-page.tsx';
import { GalleryPage } from './gallery-page.tsx';

// The gallery shows the same component several times, so its landmarks are not unique.
const ignoredRules = ['landmark-unique'];

/** For a busy machine. */
const waiting = { timeout: 15_000 };

const findProblems = async (root?: Element) => [
  ...(await findAxeProblems(root, ignoredRules)),
  ...(await findSnifferProblems(root)),
];

function query(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}

async function openGallery(language: Language): Promise<void> {
  await useLanguageOfTest(language);
  await renderComponent(<GalleryPage />, '/gallery');
  // The last section.
  await expect.poll(() => document.querySelectorAll('#admin-list h1').length, waiting).toBe(7);
}

beforeEach(() => page.viewport(1280, 800));

describe.each(languages)('the gallery in %s', (language) => {
  it('has no accessibility problem on a desktop and on a phone', { timeout: 120_000 }, async () => {
    await openGallery(language);
    expect(document.querySelector('#data-table table')).not.toBeNull();
    expect.soft(await findProblems()).toEqual([]);
    expect.soft(findAccessibilityProblems(language)).toEqual([]);
    await page.viewport(390, 844);
    await expect.poll(() => document.querySelector('#data-table table'), waiting).toBeNull();
    expect.soft(await findProblems()).toEqual([]);
    expect.soft(findAccessibilityProblems(language)).toEqual([]);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

it('has no accessibility problem in its dialogs', { timeout: 120_000 }, async () => {
  await openGallery('ar-EG');
  const openers = [...document.querySelectorAll<HTMLElement>('[data-opener] > button')];
  expect(openers.length).toBeGreaterThan(12);
  let dialogCount = 0;
  for (const opener of openers) {
    const figure = opener.closest('figure') ?? opener;
    opener.click();
    await expect
      .poll(() => query('[role=dialog], [data-opener] [role=alert]'), waiting)
      .toBeTruthy();
    const dialog = document.querySelector('[role=dialog]');
    const name = `${figure.closest('section')?.id}: ${figure.querySelector('figcaption')?.textContent}`;
    expect.soft(await findProblems(dialog ?? figure), name).toEqual([]);
    if (!dialog) continue;
    dialogCount += 1;
    const buttons = dialog.querySelectorAll<HTMLElement>('button:not(:disabled, [aria-disabled])');
    [...buttons].at(-1)?.click();
    await expect.poll(() => document.querySelector('[role=dialog]'), waiting).toBeNull();
  }
  expect(dialogCount).toBe(openers.length - 1);
});

it.each([
  ['SelectField', '#select-field button'],
  ['ComboField', '#combo-field input'],
  ['SearchField', '#search-field input'],
])('%s has no accessibility problem in its list', { timeout: 60_000 }, async (_, trigger) => {
  await openGallery('ar-EG');
  const before = [...document.querySelectorAll('[role=listbox]')];
  const findOpened = () =>
    [...document.querySelectorAll('[role=listbox]')].find((list) => !before.includes(list));
  await userEvent.click(query(trigger));
  await expect.poll(findOpened, waiting).toBeTruthy();
  expect(await findProblems(findOpened()?.parentElement ?? undefined)).toEqual([]);
});

it('changes the language of the page and of the components', { timeout: 60_000 }, async () => {
  await openGallery('ar-EG');
  query('button[lang=en-US]').click();
  await expect
    .element(page.getByRole('button', { name: 'Submit the request' }).first())
    .toBeVisible();
  expect(query('button[lang=en-US]').getAttribute('aria-pressed')).toBe('true');
});

it('shows the width of a phone in a frame', async () => {
  await renderComponent(<GalleryPage />, '/gallery?width=390');
  await expect.element(page.getByTitle('Component gallery at 390 px')).toBeVisible();
  expect(document.querySelector('#button')).toBeNull();
});

// A check that sees nothing would pass too (design §12).
it('finds planted problems', { timeout: 60_000 }, async () => {
  await openGallery('ar-EG');
  query('#button').insertAdjacentHTML(
    'beforeend',
    `<img src="/favicon.svg"><p style="color: #bbb">${query('#tabs p').textContent}</p>
    <button style="all: unset; width: 10px; height: 10px">x</button>`,
  );
  const axe = (await findAxeProblems(query('#button'), ignoredRules)).join('\n');
  expect(axe).toContain('image-alt');
  const sniffed = (await findSnifferProblems(query('#button'))).join('\n');
  for (const rule of ['1_1_1.H37', '1_4_3.G18']) expect(sniffed).toContain(rule);
  expect(findAccessibilityProblems('ar-EG').join('\n')).toContain('10 x 10');
});
