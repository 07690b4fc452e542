import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import type { Language } from '@diwan/contract/wire/languages';
import { findAccessibilityProblems } from '../../../e2e/page-inspection.ts';
import { answerCall } from '../testing/answer-calls.ts';
import { findAxeProblems, findSnifferProblems } from '../testing/find-accessibility-problems.ts';
import { renderComponent, useLanguageOfTest } from '../testing/render-page.tsx';
import { GalleryPage, sectionFragments } from './gallery-page.tsx';

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

async function openGallery(language: Language, section?: string) {
  await useLanguageOfTest(language);
  const rendered = await renderComponent(
    <GalleryPage />,
    section ? `/gallery?section=${section}` : '/gallery',
  );
  await expect
    .poll(() => document.querySelector(`#${section ?? sectionFragments.at(-1)}`), waiting)
    .not.toBeNull();
  return rendered;
}

beforeEach(async () => {
  answerCall(serviceSearch, []);
  await page.viewport(1280, 800);
});

// What the engines find depends on the direction, the width and the colours. The journeys have light
// English pages at 320 px.
it.each([
  { language: 'ar-EG', width: 390, colours: 'light' },
  { language: 'en-US', width: 1280, colours: 'dark' },
] as const)(
  'has no accessibility problem in $language at $width px, $colours',
  { timeout: 180_000 },
  async ({ language, width, colours }) => {
    document.documentElement.dataset.theme = colours;
    try {
      for (const section of sectionFragments) {
        await page.viewport(width, 800);
        const { unmount } = await openGallery(language, section);
        expect(getComputedStyle(document.documentElement).colorScheme).toBe(colours);
        // The colours of a section may still be changing.
        await expect.poll(() => findProblems(), { ...waiting, message: section }).toEqual([]);
        expect.soft(findAccessibilityProblems(language), section).toEqual([]);
        await unmount();
      }
    } finally {
      delete document.documentElement.dataset.theme;
    }
  },
);

it('shows all sections, each with its own fragment', async () => {
  await openGallery('ar-EG');
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(sectionFragments));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it.each([
  ['forms', 7],
  ['feedback', 10],
])('has no accessibility problem in the dialogs of %s', { timeout: 60_000 }, async (...row) => {
  const [section, count] = row;
  await openGallery('ar-EG', section);
  const openers = [...document.querySelectorAll<HTMLElement>('[data-opener] > button')];
  expect(openers.length).toBe(count);
  for (const opener of openers) {
    const figure = opener.closest('figure') ?? opener;
    opener.click();
    await expect
      .poll(() => query('[role=dialog], [data-opener] [role=alert]'), waiting)
      .toBeTruthy();
    // A dialog measures in its first frame whether its content can be scrolled.
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
    const dialog = document.querySelector('[role=dialog]');
    const state = figure.querySelector('figcaption')?.textContent;
    expect.soft(await findProblems(dialog ?? figure), `${section}: ${state}`).toEqual([]);
    const buttons = dialog?.querySelectorAll<HTMLElement>('button:not(:disabled, [aria-disabled])');
    [...(buttons ?? [])].at(-1)?.click();
    await expect.poll(() => document.querySelector('[role=dialog]'), waiting).toBeNull();
  }
});

it.each([
  ['SelectField', 'choices', '#select-field button'],
  ['ComboField', 'choices', '#combo-field input'],
  ['SearchField', 'search', '#search-field input:not([value=""])'],
])(
  '%s has no accessibility problem in its list',
  { timeout: 60_000 },
  async (_, section, trigger) => {
    await openGallery('ar-EG', section);
    const before = [...document.querySelectorAll('[role=listbox]')];
    const findOpened = () =>
      [...document.querySelectorAll('[role=listbox]')].find((list) => !before.includes(list));
    await userEvent.click(query(trigger));
    await expect.poll(findOpened, waiting).toBeTruthy();
    expect(await findProblems(findOpened()?.parentElement ?? undefined)).toEqual([]);
  },
);

it('changes the language of the page and of the components', { timeout: 60_000 }, async () => {
  await openGallery('ar-EG', 'actions');
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
  await openGallery('ar-EG', 'actions');
  query('#button').insertAdjacentHTML(
    'beforeend',
    `<img src="/favicon.svg"><p style="color: #bbb">${query('#text-link p').textContent}</p>
    <button style="all: unset; width: 10px; height: 10px">x</button>`,
  );
  const axe = (await findAxeProblems(query('#button'), ignoredRules)).join('\n');
  expect(axe).toContain('image-alt');
  const sniffed = (await findSnifferProblems(query('#button'))).join('\n');
  for (const rule of ['1_1_1.H37', '1_4_3.G18']) expect(sniffed).toContain(rule);
  expect(findAccessibilityProblems('ar-EG').join('\n')).toContain('10 x 10');
});
