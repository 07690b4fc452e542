import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { serverToday } from '#lib/browser/server-time.ts';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { dayAfter } from '@diwan/contract/wire/days';
import { StaffDueDate } from './due-date.tsx';

test.for([
  { after: 5, workingDaysLeft: 3, text: '3 working days left' },
  { after: 3, workingDaysLeft: 1, text: '1 working day left' },
  { after: 0, workingDaysLeft: 0, text: 'Due today' },
  { after: -4, workingDaysLeft: -2, text: '2 working days late' },
  // On the Saturday after a due day on a Friday.
  { after: -1, workingDaysLeft: 0, text: 'Late' },
])('staff read $text', async ({ after, workingDaysLeft, text }) => {
  const promisedBy = dayAfter(serverToday(), after);
  await useLanguageOfTest('en-US');
  await renderComponent(<StaffDueDate request={{ promisedBy, workingDaysLeft }} />);
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});
