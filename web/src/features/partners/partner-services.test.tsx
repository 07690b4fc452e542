import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { partnerRecordOf } from '#testing/people-records.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import {
  previewPartnerServices,
  savePartnerServices,
} from '@diwan/contract/catalogue/partner-services';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import { getPartnerById } from '@diwan/contract/people/partner-registration';

const main = page.getByRole('main');
const dialog = page.getByRole('dialog');
const governmentAgency = { id: 1, name: 'هيئة الطرق', logo: '/logos/neutral.svg' };
const services = Array.from({ length: 45 }, (_, index) => ({
  id: index + 1,
  name: `خدمة رقم ${index + 1}`,
  replacedName: `service-${index + 1}`,
  governmentAgency,
  partnerId: index === 0 ? 9 : index === 1 ? 4 : null,
  ...(index === 1 ? { partnerName: 'مركز آخر' } : {}),
  isOfPartner: index === 0,
}));

beforeEach(() => {
  answerCall(getAllServicesForUpdatingPartner, services);
});

async function open(state: 'active' | 'suspended' = 'active') {
  answerCall(getPartnerById, partnerRecordOf({ state, allowedActions: [] }));
  signInAs('Admin');
  await renderPage('/dashboard/service-providers/9?tab=services');
  await expect.element(main.getByText('خدمة رقم 1', { exact: true })).toBeVisible();
}

const tick = (name: string) => main.getByRole('checkbox', { name, exact: true });

it('assigns what was selected over pages, after a preview and a choice about open requests', async () => {
  const asked = answerCall(previewPartnerServices, {
    services: [
      {
        serviceId: 2,
        name: 'خدمة رقم 2',
        from: { id: 4, name: 'مركز آخر' },
        openRequestsCount: 7,
        movableCount: 7,
      },
    ],
    servicesCount: 2,
    openRequestsCount: 7,
    movableCount: 7,
  });
  const sent = answerCall(savePartnerServices, () => {
    if (sent.length === 1) throw refuse(400, 'RecordHasChanged', 'تغيّر السجل');
    return { servicesCount: 2, movedRequestsCount: 7 };
  });
  await open();
  await tick('تحديد خدمة رقم 2').click();
  await main.getByRole('navigation').getByText('3', { exact: true }).click();
  await tick('تحديد خدمة رقم 45').click();
  await main.getByRole('button', { name: 'إسناد (2)' }).click();
  await expect.element(dialog.getByText('الآن لدى:', { exact: false })).toBeVisible();
  await expect
    .poll(() => asked[0]?.body)
    .toEqual({ partnerId: 9, isAssigned: true, serviceIds: [2, 45] });
  await dialog.getByRole('radio', { name: /تنتقل مع الخدمة/ }).click({ force: true });
  const send = dialog.getByRole('button', { name: 'إسناد الخدمات' });
  await send.click();
  await expect.element(dialog.getByText(/حُدّثت القائمة/)).toBeVisible();
  await send.click();
  await expect.element(page.getByText('الخدمات: 2، الطلبات المنقولة: 7')).toBeVisible();
  await expect
    .poll(() => sent[1]?.body)
    .toEqual({
      partnerId: 9,
      isAssigned: true,
      openRequests: 'move',
      services: [
        { serviceId: 2, partnerId: 4 },
        { serviceId: 45, partnerId: null },
      ],
    });
});

it('finds services by text and by who provides them; a suspended provider receives none', async () => {
  await open('suspended');
  await main.getByRole('textbox', { name: /اسم الخدمة/ }).fill('رقم 4');
  await expect.element(main.getByText('خدمة رقم 44')).toBeVisible();
  await tick('تحديد خدمة رقم 44').click();
  await expect.element(main.getByRole('button', { name: 'إسناد (1)' })).toBeDisabled();
  await expect.element(main.getByText(/إلا إلى مزود خدمة مفعّل/)).toBeVisible();
});
