import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, noConnection } from '#testing/answer-calls.ts';
import { renderPage } from '#testing/render-page.tsx';
import { getAnnouncements } from '@diwan/contract/content/announcements';
import { getStatus, statusParts } from '@diwan/contract/content/status';
import type { ReplyOf } from '@diwan/contract/wire/call';

const main = page.getByRole('main');
const works: ReplyOf<typeof getStatus> = {
  parts: statusParts.map((part) => ({ part, state: 'works' })),
  incidents: [],
  isComplete: true,
};

it('says that everything works', async () => {
  answerCall(getStatus, works);
  await renderPage('/status');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('حالة البوابة');
  await expect.element(main.getByText('لا توجد أعطال في البوابة')).toBeVisible();
  expect(main.getByText('دون أعطال', { exact: true }).elements()).toHaveLength(statusParts.length);
  await expect.element(main.getByText('لم يتعطل شيء.')).toBeVisible();
  expect(main.getByText('صيانة مخطط لها').elements()).toHaveLength(0);
});

it('says in words and signs what does not work, since when, and what people can do', async () => {
  answerCall(getStatus, {
    parts: statusParts.map((part) => ({
      part,
      state:
        part === 'payments'
          ? ('down' as const)
          : part === 'messages'
            ? ('limited' as const)
            : ('works' as const),
      ...(part === 'payments' ? { since: '2026-11-28T08:00:00.000Z' } : {}),
    })),
    incidents: [
      { part: 'payments', state: 'down', from: '2026-11-28T08:00:00.000Z' },
      {
        part: 'documents',
        state: 'limited',
        from: '2026-11-20T08:00:00.000Z',
        until: '2026-11-20T09:30:00.000Z',
      },
    ],
    isComplete: false,
  });
  answerCall(getAnnouncements, [
    {
      id: 1,
      mark: '1.1',
      kind: 'maintenance',
      severity: 'warning',
      title: 'صيانة ليلية',
      text: 'تتوقف الخدمات ساعة واحدة.',
      audience: { of: 'everybody' },
      isDismissible: true,
      isCurrent: false,
      from: '2026-11-29T18:00:00.000Z',
    },
    {
      id: 2,
      mark: '2.1',
      kind: 'news',
      severity: 'information',
      title: 'خبر آخر',
      text: 'خبر',
      audience: { of: 'everybody' },
      isDismissible: true,
      isCurrent: false,
      from: '2026-11-29T18:00:00.000Z',
    },
  ]);
  await renderPage('/status');
  await expect.element(main.getByText('بعض أجزاء البوابة لا تعمل', { exact: true })).toBeVisible();
  const payments = main
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'الدفع' }) });
  await expect
    .element(payments)
    .toMatchTextContent(/عطل كامل.*لا تدفع مرة أخرى.*منذ 28 نوفمبر 2026/);
  expect(payments.element().querySelector('svg')).not.toBeNull();
  const ended = main.getByRole('listitem').filter({ hasText: /20 نوفمبر 2026/ });
  await expect.element(ended).toMatchTextContent(/المستندات.*12:00.*1:30.*عطل جزئي/);
  await expect.element(main.getByText('ولم ينتهِ بعد')).toBeVisible();
  await expect.element(main.getByText(/قد يكون ناقصًا/)).toBeVisible();
  await expect.element(main.getByText('صيانة ليلية')).toBeVisible();
  expect(main.getByText('خبر آخر').elements()).toHaveLength(0);
});

it('tries again after a failure', async () => {
  answerCall(getStatus, noConnection);
  await renderPage('/status');
  const alert = main.getByRole('alert');
  await expect.element(alert.getByText('تعذر تحميل حالة البوابة')).toBeVisible();
  answerCall(getStatus, works);
  await alert.getByRole('button', { name: 'إعادة المحاولة' }).click();
  await expect.element(main.getByText('لا توجد أعطال في البوابة')).toBeVisible();
});
