import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { findAxeProblems } from '#testing/find-accessibility-problems.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getCalendars,
  previewCalendar,
  saveCalendar,
} from '@diwan/contract/calendars/calendar-calls';
import type { AgencyCalendar, Calendar } from '@diwan/contract/calendars/calendars';

const name = (arabic: string) => ({
  'ar-EG': arabic,
  'en-US': 'National Day',
  'ur-PK': 'یومِ اتحاد',
});
const hours = { full: { from: '07:30', until: '15:30' }, half: { from: '07:30', until: '12:00' } };
const portal: Calendar = {
  week: ['off', 'full', 'full', 'full', 'full', 'half', 'off'],
  hours,
  days: [
    {
      from: '2026-12-02',
      until: '2026-12-03',
      kind: 'holiday',
      name: name('عيد الاتحاد'),
      isExpected: false,
    },
  ],
  periods: [],
};
const own: AgencyCalendar = { week: null, hours: null, days: [], periods: [] };
const moves = {
  later: 213,
  earlier: 1,
  examples: [{ requestNumber: 'DW26-00001-00002', from: '2026-12-04', to: '2026-12-07' }],
  isAtLeast: false,
};

beforeEach(() => {
  signInAs('Admin');
  answerCall(getCalendars, {
    portal,
    calendars: [
      { version: 3, calendar: portal },
      { agencyId: 20, agencyName: 'دائرة التنمية الاقتصادية بالشارقة', version: 0, calendar: own },
    ],
  });
});

it('offers no other calendar to who has one', async () => {
  signInAs('AgencyAdmin');
  answerCall(getCalendars, {
    portal,
    calendars: [{ agencyId: 20, agencyName: 'دائرة التنمية', version: 0, calendar: own }],
  });
  await open();
  await expect.element(page.getByText('دائرة التنمية')).toBeVisible();
  expect(page.getByRole('main').getByRole('combobox').elements()).toEqual([]);
});

const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const open = (query = 'year=2026') => renderPage(`/dashboard/calendars?${query}`);

/** Chooses a file in the hidden input of the button. */
async function chooseFile(text: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input!, new File([text], 'holidays.ics', { type: 'text/calendar' }));
}

describe('a year', () => {
  it('is a picture in which each day says how it is worked', async () => {
    await open();
    await expect.element(page.getByText(/عطلة رسمية، عيد الاتحاد/).first()).toBeInTheDocument();
    const initials = () => document.querySelector('table:has(caption) thead')?.textContent ?? '';
    await useLanguageOfTest('ur-PK');
    // The first letter of Monday, which no Arabic name of a weekday has.
    await expect.poll(initials).toContain('\u067E');
    await useLanguageOfTest('ar-EG');
    const tables = document.querySelectorAll('table:has(caption)');
    expect(tables.length).toBeGreaterThanOrEqual(12);
    expect(await findAxeProblems()).toEqual([]);
  });

  it('of an agency has the days of the portal, which are changed there only', async () => {
    await open('year=2026&agency=20');
    await expect.element(page.getByText('من تقويم البوابة')).toBeVisible();
    await expect.element(button('تعديل عيد الاتحاد')).not.toBeInTheDocument();
  });

  it('without days says so', async () => {
    await open('year=2031');
    await expect.element(page.getByText('لا أيام خاصة في هذا العام')).toBeVisible();
  });
});

describe('a change', () => {
  it('says how many requests it moves before it is saved', async () => {
    const previewed = answerCall(previewCalendar, moves);
    const saved = answerCall(saveCalendar, { version: 4 });
    await open();
    await button('حذف عيد الاتحاد').click();
    await expect.element(page.getByText(/تتغير مواعيد .*214/)).toBeVisible();
    await expect.element(page.getByText('DW26-00001-00002')).toBeVisible();
    expect(saved).toEqual([]);
    await button('حفظ التقويم').click();
    await expect.poll(() => saved.length).toBe(1);
    const body = { version: 3, calendar: { ...portal, days: [] } };
    expect(previewed[0]?.body).toEqual(body);
    expect(saved[0]?.body).toEqual(body);
  });

  it('that cannot be saved stays open with the reason', async () => {
    answerCall(previewCalendar, moves);
    answerCall(saveCalendar, () => {
      throw refuse(400, 'RecordHasChanged');
    });
    await open();
    await button('حذف عيد الاتحاد').click();
    await button('حفظ التقويم').click();
    await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  });

  it('names what is wrong beside its field', async () => {
    await open();
    await button('إضافة يوم خاص').click();
    const [from, until] = [page.getByLabelText('من يوم'), page.getByLabelText('إلى يوم (ضمنًا)')];
    await from.fill('03/12/2026');
    await until.fill('01/12/2026');
    await button('متابعة').click();
    await expect.element(page.getByText(/يشارك يومًا مع مدخل آخر/)).toBeVisible();
    expect(document.querySelectorAll('[aria-invalid=true]').length).toBeGreaterThanOrEqual(3);
  });
});

describe('a file', () => {
  const event = (day: string) => `BEGIN:VEVENT\r\nDTSTART:${day}\r\nSUMMARY:Eid\r\nEND:VEVENT\r\n`;
  const fileOf = (...days: string[]) =>
    `BEGIN:VCALENDAR\r\n${days.map(event).join('')}END:VCALENDAR\r\n`;

  it('adds its days, after they are confirmed', async () => {
    const previewed = answerCall(previewCalendar, { ...moves, later: 0, earlier: 0, examples: [] });
    await open();
    await expect.element(button('إضافة يوم خاص')).toBeVisible();
    await chooseFile(fileOf('20260320', '20260321'));
    await expect.element(page.getByText('إضافة مدخلين من الملف')).toBeVisible();
    await expect.element(page.getByText('لا يتغير موعد أي طلب')).toBeVisible();
    expect(previewed[0]?.body).toMatchObject({
      calendar: { days: [{ from: '2026-12-02' }, { from: '2026-03-20' }, { from: '2026-03-21' }] },
    });
  });

  it('with a problem adds nothing and names the line', async () => {
    await open();
    await expect.element(button('إضافة يوم خاص')).toBeVisible();
    await chooseFile(fileOf('20260320', '20260230'));
    await expect.element(page.getByText(/السطر 7:/)).toBeVisible();
    await expect.element(page.getByText('20260230')).toBeVisible();
  });
});
