import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getRetiredServices, restoreService } from '@diwan/contract/catalogue/service-designs';

const service = {
  serviceId: 7,
  name: 'تجديد ملكية مركبة',
  agencyName: 'هيئة الطرق',
  retiredAt: '2026-11-20T05:00:00.000Z',
};

it('offers a retired service again, after a failure too', async () => {
  answerCall(getRetiredServices, pageOf([service]));
  const sent = answerCall(restoreService, () => {
    throw refuse(404, 'ServiceNotFound', 'الخدمة غير موجودة');
  });
  signInAs('Admin');
  await renderPage('/dashboard/services?show=retired');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: `إتاحة ${service.name} مجددًا` }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'إتاحة مجددًا' });
  await send.click();
  await expect.element(dialog.getByText('الخدمة غير موجودة')).toBeVisible();
  answerCall(getRetiredServices, pageOf([]));
  answerCall(restoreService, (received) => {
    sent.push(received);
    return {} as never;
  });
  await send.click();
  await expect.element(main.getByText('لا توجد خدمات موقوفة')).toBeVisible();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ serviceId: 7 }, { serviceId: 7 }]);
});
