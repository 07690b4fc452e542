import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { figureGroupsRecord, figuresRecord } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection } from '#testing/answer-calls.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import { todayInDubai } from '@diwan/contract/wire/days';
import { lastDays } from './report-days.ts';

const main = page.getByRole('main');
const from = main.getByLabelText('من تاريخ', { exact: true });
const to = main.getByLabelText('إلى تاريخ', { exact: true });
const show = main.getByRole('button', { name: 'عرض', exact: true });

beforeEach(() => {
  answerCall(getRequestFigures, figuresRecord());
  answerCall(getFigureGroups, figureGroupsRecord());
});

function open(query = '') {
  signInAs('Admin');
  return renderPage(`/reports${query}`);
}

it('shows a skeleton, an error and the figures after another try', async () => {
  const { reply, release } = holdReply<never>();
  answerCall(getRequestFigures, () => reply);
  const first = await open();
  await expect.element(main.getByText('جارٍ التحميل…')).toBeInTheDocument();
  await first.unmount();
  release(undefined as never);
  answerCall(getRequestFigures, noConnection);
  await open();
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر عرض الأرقام')).toBeVisible();
  answerCall(getRequestFigures, figuresRecord());
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('كيف تُحسب الأرقام')).toBeVisible();
});

it('compares each figure with the period before', async () => {
  await open();
  const labels = [
    'الطلبات الواردة',
    'الطلبات المنجزة',
    'وسيط ساعات العمل حتى الإنجاز',
    'المنجز ضمن المدة المحددة',
    'الرسوم المحصّلة',
  ];
  await expect.poll(() => namesOf(main.getByRole('term'))).toEqual(labels);
  const values = namesOf(main.getByRole('definition'));
  expect(values[0]).toMatch(/12$/);
  expect(values).toContain('ارتفاع من 9');
  expect(values).toContain('دون تغيير: 8');
  expect(values.join(' ')).toMatch(/75.*انخفاض من .?80/);
  // Less working time is faster, and its text says so.
  expect(values.join(' ')).toMatch(/أسرع من قبل: .?72/);
  // Thirty completed requests do not make the bar of two open ones a tenth.
  const bars = [...document.querySelectorAll<HTMLElement>('[data-share]')];
  expect(bars.map(({ style }) => style.inlineSize)).toEqual(['100%']);
});

it('breaks an amount on a narrow card between its words only', async () => {
  await page.viewport(390, 844);
  const current = { ...figuresRecord().current, feesCollected: 12_345_678_900 };
  answerCall(getRequestFigures, figuresRecord({ current }));
  await open();
  const amount = main.getByRole('definition').filter({ hasText: '123,456,789' }).first();
  await expect.element(amount).toBeVisible();
  const words = [...amount.element().querySelectorAll('bdi span')];
  expect(words.map(({ textContent }) => textContent).join('')).toMatch(/123,456,789.*درهم/);
  const linesOf = (word: Element) => new Set([...word.getClientRects()].map(({ y }) => y)).size;
  const figure = amount.element() as HTMLElement;
  for (let width = 300; width > 150; width -= 4) {
    figure.style.width = `${width}px`;
    expect(words.map(linesOf), `${width} px`).toEqual(words.map(() => 1));
  }
});

it('says so where nothing was completed', async () => {
  const current = { ...figuresRecord().current, medianSeconds: null, withinPromise: null };
  answerCall(getRequestFigures, figuresRecord({ current, services: [] }));
  await open();
  await expect.element(main.getByText('لا توجد بيانات').first()).toBeVisible();
  expect(main.getByText('لا توجد بيانات').elements()).toHaveLength(2);
  await expect.element(main.getByText('لا توجد طلبات في هذه الأيام.')).toBeVisible();
});

it('shows the days as a chart and as a table', async () => {
  await open();
  const chart = main.getByRole('slider', { name: /^الوارد والمنجز يوميًا/ });
  await expect.element(chart).toBeVisible();
  await main.getByRole('button', { name: 'عرض في جدول' }).click();
  const table = main.getByRole('table', { name: 'الوارد والمنجز يوميًا' });
  await expect.poll(() => table.getByRole('rowheader').elements().length).toBe(3);
  expect(table.getByRole('link').elements()).toHaveLength(6);
  await expect.element(chart).not.toBeInTheDocument();
});

it('opens the list behind each number of the chart, by keyboard too', async () => {
  await open();
  const chart = main.getByRole('slider', { name: /^الوارد والمنجز يوميًا/ });
  await expect.element(chart).toHaveAttribute('aria-valuetext', expect.stringContaining('20'));
  const linkOf = (name: RegExp) => main.getByRole('link', { name }).element().getAttribute('href');
  (chart.element() as HTMLElement).focus();
  // In Arabic later days are on the left.
  await userEvent.keyboard('{ArrowRight}');
  expect(linkOf(/^الطلبات الواردة \d/)).toBe(
    '/requests/all?from=2026-11-19&to=2026-11-19&sort=desc',
  );
  await userEvent.keyboard('{Home}{ArrowRight}');
  expect(linkOf(/^الطلبات المنجزة \d/)).toBe(
    '/requests/all?figure=done&figureFrom=2026-11-18&figureTo=2026-11-18',
  );
  await userEvent.keyboard('{ArrowLeft}{End}');
  expect(linkOf(/^الطلبات الواردة \d/)).toBe(
    '/requests/all?from=2026-11-20&to=2026-11-20&sort=desc',
  );
});

it('saves the figures of the days as a file', async () => {
  const saved: { name: string; content: Promise<Response> }[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, content: fetch(this.href) });
  });
  onTestFinished(() => click.mockRestore());
  await open();
  await main.getByRole('button', { name: 'تنزيل (CSV)' }).click();
  // The days of the figures.
  await expect
    .poll(() => saved.map(({ name }) => name))
    .toEqual(['diwan-2026-11-18-2026-11-20.csv']);
  const lines = (await (await saved[0]?.content)?.text())?.split('\r\n') ?? [];
  expect(lines.filter((line) => /^"\d{4}-\d\d-\d\d",/.test(line))).toHaveLength(3);
  // Admins get the figures by agency, service, service provider and employee.
  expect(lines.filter((line) => line.startsWith('"الجهة الحكومية",'))).toHaveLength(1);
  expect(lines.filter((line) => line.endsWith(',5,3,1,2,12,8,2,1,48,2884'))).toHaveLength(4);
});

it('selects a usual period, which is in the address', async () => {
  const asked = answerCall(getRequestFigures, figuresRecord());
  const { address } = await open();
  const usual = main.getByRole('button', { name: 'آخر 90 يومًا' });
  await usual.click();
  const days = lastDays(90, todayInDubai());
  await expect.poll(address).toBe(`/reports?from=${days.from}&to=${days.to}`);
  await expect.element(usual).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(() => [asked.at(-1)?.query.get('DateFrom'), asked.at(-1)?.query.get('DateTo')])
    .toEqual([days.from, days.to]);
});

it.each([
  ['05/05/2026', '01/05/2026', 'يجب ألا يسبق تاريخُ النهاية تاريخَ البداية.'],
  ['01/01/2026', '31/12/2099', 'لا توجد أرقام للأيام القادمة بعد.'],
  ['01/01/2020', '01/05/2026', 'اختر 366 يومًا على الأكثر.'],
])('names the problem of the days %s to %s and sends nothing', async (first, last, message) => {
  const asked = answerCall(getRequestFigures, figuresRecord());
  await open();
  await expect.element(show).toBeDisabled();
  await expect.element(main.getByText('كيف تُحسب الأرقام')).toBeVisible();
  const before = asked.length;
  await from.fill(first);
  await to.fill(last);
  await expect.element(main.getByText(message)).toBeVisible();
  await expect.element(show).toBeDisabled();
  await expect.poll(() => asked).toHaveLength(before);
});

it('opens the days of an address, and ignores invalid ones', async () => {
  const asked = answerCall(getRequestFigures, figuresRecord());
  const { unmount } = await open('?from=2026-01-01&to=2026-01-31');
  await expect.element(main.getByText(/من .*يناير 2026 إلى .*31 يناير 2026/).first()).toBeVisible();
  await expect.poll(() => asked.at(-1)?.query.get('DateFrom')).toBe('2026-01-01');
  await unmount();
  await open('?from=2026-02-31&to=x');
  await expect
    .poll(() => asked.at(-1)?.query.get('DateFrom'))
    .toBe(lastDays(30, todayInDubai()).from);
});

it('groups many days by week, in English', async () => {
  await useLanguageOfTest('en-US');
  const days = Array.from({ length: 90 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 7, 1 + index)).toISOString().slice(0, 10),
    created: 1,
    completed: 1,
  }));
  answerCall(getRequestFigures, figuresRecord({ days }));
  signInAs('ServiceProvider', { partnerId: 9 });
  await renderPage('/reports');
  await main.getByRole('button', { name: /table/i }).click();
  await expect
    .poll(
      () =>
        main
          .getByRole('table', { name: /by week/ })
          .getByRole('rowheader')
          .elements().length,
    )
    .toBe(13);
});

/** The part of the protocol of Chromium that changes the medium. */
const devtools = () =>
  cdp() as unknown as { send: (method: string, values: object) => Promise<unknown> };

it.each(['ar-EG', 'en-US', 'ur-PK'] as const)(
  'is printed with tables as tables, in %s',
  async (language) => {
    useLanguageOfTest(language);
    // A sheet of A4 without its margins.
    await page.viewport(672, 1000);
    await open();
    await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible();
    const head = document.querySelector('main [data-printed-head]')!;
    expect(getComputedStyle(head).display).toBe('none');
    await devtools().send('Emulation.setEmulatedMedia', { media: 'print' });
    onTestFinished(async () => {
      await devtools().send('Emulation.setEmulatedMedia', { media: '' });
      await page.viewport(1280, 900);
    });
    await expect.poll(() => document.querySelectorAll('main table').length).toBe(2);
    expect(getComputedStyle(head).display).toBe('flex');
    await expect.poll(() => head.textContent).toMatch(/20\d\d/);
    const sheet = document.querySelector('main .page')!.getBoundingClientRect();
    for (const table of document.querySelectorAll<HTMLTableElement>('main table')) {
      const { left, right } = table.getBoundingClientRect();
      expect([left >= sheet.left, right <= sheet.right]).toEqual([true, true]);
      expect(getComputedStyle(table.rows[1]!).breakInside).toBe('avoid');
    }
    const whole = [...document.querySelectorAll('main [data-print-whole]')];
    expect(whole.length).toBe(4);
    for (const part of whole) expect(getComputedStyle(part).breakInside).toBe('avoid');
    const tabs = [...document.querySelectorAll('main [role=tab]')];
    expect(tabs.filter((tab) => getComputedStyle(tab).display !== 'none')).toHaveLength(1);
  },
);
