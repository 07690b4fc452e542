import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { serviceSummaries } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { serviceRecord } from '#testing/records.ts';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { Toasts } from '#ui/feedback/toasts.tsx';
import { addToSearchHistory, readSearchHistory } from '#ui/search/search-history.ts';
import {
  getService,
  getServiceNameByServiceId,
  serviceSearch,
  type ServiceSuggestion,
} from '@diwan/contract/catalogue/services';
import { ServiceSearchBox } from './service-search-box.tsx';

const box = page.getByRole('combobox');
const options = page.getByRole('option');
const suggestions = (count: number): ServiceSuggestion[] =>
  serviceSummaries(count).map(({ id, name, replacedName, governmentAgency }) => ({
    id,
    name,
    replacedName,
    governmentAgency,
  }));

/** For each text `count` suggestions. */
const answerSearch = (count: number) => answerCall(serviceSearch, suggestions(count));

async function open() {
  const onSearch = vi.fn();
  const screen = await renderComponent(
    <>
      <ServiceSearchBox onSearch={onSearch} />
      <Toasts />
    </>,
  );
  return { ...screen, onSearch };
}

it('selects a suggestion by keys', async () => {
  answerSearch(3);
  await open();
  await box.fill('خدمة');
  await expect.element(options.first()).toBeVisible();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect.element(box).toHaveAttribute('aria-activedescendant', options.first().element().id);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(box).not.toHaveAttribute('aria-activedescendant');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(box).toHaveFocus();
  await expect.element(box).toHaveAttribute('aria-expanded', 'false');
});

// Specification §5, §9.
it('suggests from the first letter in a list of at most 240 px, and marks the match', async () => {
  const asked = answerSearch(15);
  await page.viewport(1280, 844);
  await open();
  await box.fill('ر');
  await expect.poll(() => options.elements().length).toBe(15);
  expect(asked.at(-1)?.query.get('Name')).toBe('ر');
  await box.fill('رقم');
  await expect.poll(() => asked.at(-1)?.query.get('Name')).toBe('رقم');
  await expect.poll(() => options.first().element().querySelector('mark')?.textContent).toBe('رقم');
  const list = page.getByRole('listbox').element();
  expect(list.clientHeight).toBeGreaterThan(100);
  expect(list.clientHeight).toBeLessThanOrEqual(240);
  expect(page.getByRole('search').element().clientWidth).toBe(600);
  await expect.element(page.getByText('15 اقتراحًا')).toBeInTheDocument();
});

it('says when nothing is found, and clears the text', async () => {
  answerSearch(0);
  await open();
  await box.fill('zzzz');
  await expect.element(page.getByText('لم يُعثر على نتائج').first()).toBeVisible();
  await page.getByRole('button', { name: 'مسح النص' }).click();
  await expect.element(box).toHaveValue('');
  await expect.element(box).toHaveFocus();
});

// Specification §5, §9.
it.each(['', '   ', '\u00A0\u3000'])('opens no list for the blank text %j', async (text) => {
  const asked = answerSearch(3);
  addToSearchHistory('جواز سفر');
  const { onSearch } = await open();
  // The list has been loaded and was open before.
  await box.fill('ج');
  await expect.element(options.first()).toBeVisible();
  const before = asked.length;
  await box.fill(text);
  await box.click();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(options.first()).not.toBeInTheDocument();
  expect(page.getByRole('search').element().querySelector('[role=presentation]')).toBeNull();
  await userEvent.keyboard('{Enter}');
  expect(asked.length).toBe(before);
  expect(onSearch).not.toHaveBeenCalled();
});

it.each([
  ['en-US', 'Not found'],
  ['ur-PK', 'کچھ نہیں ملا'],
] as const)('says in %s that nothing is found', async (language, text) => {
  await useLanguageOfTest(language);
  answerSearch(0);
  await open();
  await box.fill('zzzqqq');
  await expect.element(page.getByText(text, { exact: true }).first()).toBeVisible();
});

it('opens a suggested service, and says when the connection is missing', async () => {
  answerSearch(1);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await open();
  const choose = async () => {
    await box.fill('');
    await box.fill('خدمة');
    await expect.element(options.first()).toBeVisible();
    await userEvent.keyboard('{ArrowDown}');
    await userEvent.keyboard('{Enter}');
  };
  answerCall(getService, serviceRecord());
  const refused = answerCall(getServiceNameByServiceId, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  await choose();
  await expect.poll(() => refused.length).toBe(1);
  expect(page.getByRole('region', { name: 'الرسائل' }).getByRole('button').elements()).toEqual([]);
  answerCall(getServiceNameByServiceId, noConnection);
  await choose();
  await expect.element(page.getByText(/تعذر الاتصال بالخادم/)).toBeVisible();
  expect(console.error).toHaveBeenCalledTimes(2);
  vi.mocked(console.error).mockRestore();
});

it('lists last searches that contain the text, with the suggestions, and forgets them', async () => {
  answerSearch(2);
  const { onSearch } = await open();
  for (const index of [...Array.from({ length: 16 }, (_, each) => each + 1), 16]) {
    await box.fill(`جواز ${index}`);
    await userEvent.keyboard('{Enter}');
  }
  expect(onSearch).toHaveBeenLastCalledWith('جواز 16');
  expect(readSearchHistory()).toHaveLength(15);
  await box.fill('جواز');
  const past = page.getByRole('group', { name: 'عمليات بحثك الأخيرة' });
  await expect.poll(() => past.getByRole('option').elements().length).toBe(3);
  await expect.poll(() => options.elements().length).toBe(5);
  await expect.element(options.first()).toHaveTextContent('جواز 16');
  await options.nth(1).click();
  expect(onSearch).toHaveBeenLastCalledWith('جواز 15');
  await box.fill('جواز 9');
  await expect.element(past).not.toBeInTheDocument();
  await box.fill('جواز');
  const forget = page.getByRole('button', { name: 'مسح سجل البحث' });
  await expect.element(forget).toBeVisible();
  await userEvent.keyboard('{Tab}{Tab}');
  await expect.element(forget).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(past).not.toBeInTheDocument();
  await expect.element(box).toHaveFocus();
});

it('keeps what the user types while an earlier answer is on its way', async () => {
  await useLanguageOfTest('en-US');
  const { reply, release } = holdReply<ServiceSuggestion[]>();
  answerCall(serviceSearch, ({ query }) =>
    query.get('Name') === 'slow' ? reply : suggestions(query.get('Name') ? 1 : 2),
  );
  await open();
  await box.fill('slow');
  await expect.element(page.getByText('Searching…')).toBeVisible();
  await box.fill('fast');
  await expect.poll(() => options.elements().length).toBe(1);
  release(suggestions(5));
  await expect.element(box).toHaveValue('fast');
  expect(options.elements()).toHaveLength(1);
});
