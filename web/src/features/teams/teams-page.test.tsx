import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuseFields } from '#testing/answer-calls.ts';
import { findAxeProblems } from '#testing/find-accessibility-problems.ts';
import { renderPage, signInAs } from '#testing/render-page.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  changeTeamReach,
  deleteTeam,
  getTeams,
  saveTeam,
  type AgencyTeams,
} from '@diwan/contract/staff/teams';

const [saif, huda] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;
const employee = (userId: string, fullName: string, seesWholeAgency: boolean) => ({
  userId,
  fullName,
  username: fullName.toLowerCase(),
  seesWholeAgency,
  isSuspended: false,
});
const vehicles = {
  id: 4,
  version: 2,
  name: 'المركبات',
  memberIds: [saif],
  serviceIds: [11],
  categoryIds: [],
};
const teams: AgencyTeams = {
  teams: [vehicles],
  employees: [employee(saif, 'سيف', false), employee(huda, 'هدى', true)],
  services: [
    { id: 11, name: 'تجديد ملكية مركبة', categoryId: 3, hasTeam: true },
    { id: 12, name: 'تجديد رخصة قيادة', categoryId: 3, hasTeam: false },
  ],
  categories: [{ id: 3, name: 'المركبات والنقل' }],
};

beforeEach(() => {
  signInAs('AgencyAdmin');
  answerCall(getManagedAgencies, [{ id: 7, name: 'هيئة الطرق والمواصلات', logo: '/logo.svg' }]);
  answerCall(getTeams, teams);
});

const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const dialog = page.getByRole('dialog');
const open = () => renderPage('/dashboard/teams');

describe('the teams of an agency', () => {
  it('say who is in them, what they work on, and what no team works on', async () => {
    await open();
    await expect.element(page.getByRole('table', { name: 'الفرق' })).toBeVisible();
    await expect.element(page.getByText('خدمة واحدة ليس لها فريق له أعضاء')).toBeVisible();
    await expect.element(page.getByText('طلبات فرقه')).toBeVisible();
    await expect.element(page.getByText('كل طلبات الجهة', { exact: true })).toBeVisible();
    expect(await findAxeProblems()).toEqual([]);
  });

  it('are read, not changed, by an auditor', async () => {
    signInAs('Auditor');
    await open();
    await expect.element(page.getByRole('table', { name: 'الفرق' })).toBeVisible();
    await expect.element(button('إضافة فريق')).not.toBeInTheDocument();
  });

  it('are explained where there are none', async () => {
    answerCall(getTeams, { ...teams, teams: [] });
    await open();
    await expect.element(page.getByText('لا فرق بعد')).toBeVisible();
    await expect.element(page.getByText('موظفون لا يطّلعون على أي طلب')).toBeVisible();
  });
});

describe('a team', () => {
  it('is added; who becomes limited is said before it is saved', async () => {
    const saved = answerCall(saveTeam, { id: 5, version: 1 });
    await open();
    await button('إضافة فريق').click();
    await expect.element(dialog.getByText(/فريق بلا أعضاء/)).toBeVisible();
    await button('حفظ الفريق').click();
    await expect.element(dialog.getByText('أدخل اسم الفريق').first()).toBeVisible();
    expect(saved).toEqual([]);
    await dialog.getByLabelText('الاسم').fill('السائقون');
    await dialog.getByRole('checkbox', { name: /^هدى/ }).click();
    await expect.element(dialog.getByText(/لا يطّلع هؤلاء إلا على طلبات فرقهم/)).toBeVisible();
    await dialog.getByRole('checkbox', { name: 'المركبات والنقل' }).click();
    expect(await findAxeProblems()).toEqual([]);
    await button('حفظ الفريق').click();
    await expect.poll(() => saved.length).toBe(1);
    expect(saved[0]?.body).toEqual({
      agencyId: 7,
      version: 0,
      name: 'السائقون',
      memberIds: [huda],
      categoryIds: [3],
      serviceIds: [],
    });
  });

  it('is changed; who would see nothing is said, and a refusal is beside its field', async () => {
    const saved = answerCall(saveTeam, () => {
      throw refuseFields({ name: ['هذا الاسم موجود في القائمة'] });
    });
    await open();
    await page.getByRole('button', { name: /تعديل .*المركبات/ }).click();
    await dialog.getByRole('checkbox', { name: /^سيف/ }).click();
    await expect.element(dialog.getByText(/ولن يطّلعوا على أي طلب/)).toBeVisible();
    await button('حفظ الفريق').click();
    await expect.poll(() => saved.length).toBe(1);
    expect(saved[0]?.body).toMatchObject({ id: 4, version: 2, memberIds: [], serviceIds: [11] });
    await expect.element(dialog.getByText('هذا الاسم موجود في القائمة').first()).toBeVisible();
  });

  it('is deleted after a confirmation that names who sees nothing then', async () => {
    const deleted = answerCall(deleteTeam, {});
    await open();
    await page.getByRole('button', { name: /حذف .*المركبات/ }).click();
    await expect.element(dialog.getByText(/سيف/)).toBeVisible();
    await dialog.getByRole('button', { name: 'حذف', exact: true }).click();
    await expect.poll(() => deleted.length).toBe(1);
    expect(deleted[0]?.body).toEqual({ agencyId: 7, id: 4, version: 2 });
  });
});

it('an employee is limited to their teams, or sees the whole agency, after a confirmation', async () => {
  const changed = answerCall(changeTeamReach, {});
  await open();
  await page.getByRole('button', { name: 'الاطلاع على الجهة كلها: سيف' }).click();
  await expect.element(dialog.getByText(/يذكر سببًا/)).toBeVisible();
  await dialog.getByRole('button', { name: 'الاطلاع على الجهة كلها' }).click();
  await expect.poll(() => changed.length).toBe(1);
  expect(changed[0]?.body).toEqual({ agencyId: 7, userId: saif, seesWholeAgency: true });
  await page.getByRole('button', { name: 'الاقتصار على فرقه: هدى' }).click();
  await expect.element(dialog.getByText(/ليس في أي فريق/)).toBeVisible();
});
