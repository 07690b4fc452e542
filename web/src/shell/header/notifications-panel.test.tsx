import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getOwnCommunication } from '@diwan/contract/people/communication-types';
import {
  getNotifications,
  getNotificationSettings,
  markNotifications,
  saveNotificationSetting,
  type NotificationSetting,
  type RequestNotice,
} from '@diwan/contract/staff/notifications';
import { accountHub, requestHub } from '@diwan/contract/wire/hubs';

const record = (id: number, changed: Partial<RequestNotice> = {}): RequestNotice => ({
  id,
  kind: 'updated',
  requestId: 41,
  requestNumber: `DW-2026-0000${id}`,
  serviceName: 'Renew vehicle ownership',
  actorName: 'مريم الشامسي',
  at: '2026-11-24T08:00:00.000Z',
  isRead: false,
  ...changed,
});
/** The server: what a test changes in it is in the next reply. */
function serve(items: RequestNotice[]) {
  answerCall(getNotifications, ({ query }) => {
    const shown = items.filter(({ isRead }) => query.get('Unread') !== 'true' || !isRead);
    const unreadCount = items.filter(({ isRead }) => !isRead).length;
    const pageNumber = Number(query.get('PageNumber') ?? 1);
    const from = (pageNumber - 1) * 20;
    return {
      items: shown.slice(from, from + 20),
      pageNumber,
      totalCount: shown.length,
      unreadCount,
    };
  });
  return answerCall(markNotifications, ({ body }) => {
    const { ids, isRead } = body as { ids?: number[]; isRead: boolean };
    for (const item of items) if (!ids || ids.includes(item.id)) item.isRead = isRead;
    return { unreadCount: items.filter((item) => !item.isRead).length };
  });
}
const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
const dialog = page.getByRole('dialog');
const open = async () => {
  await bell.click();
  await page.getByRole('menuitem', { name: /^Notifications/ }).click();
  await expect.element(dialog).toBeVisible();
};

afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(async () => {
  await useLanguageOfTest('en-US');
  signInAs('Employee');
});

it('counts live, lists by kind, marks one and all, and shows the unread ones', async () => {
  const hub = openHub(requestHub);
  const items = [record(52), record(51, { kind: 'assigned', isRead: true })];
  const marked = serve(items);
  await renderPage('/not-found');
  await expect.element(bell).toHaveAccessibleName(/1 unread notification$/);
  await expect.poll(() => hub.connections.size).toBe(1);
  items.unshift(record(53, { kind: 'paid', actorName: '' }));
  hub.send('notificationsChanged', 1);
  await expect.element(bell).toHaveAccessibleName(/2 unread notifications$/);

  await open();
  const rows = dialog.getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/A request was paid.*DW-2026-000053/);
  await expect.element(rows.nth(1)).toMatchTextContent(/The applicant corrected a request/);
  await rows.nth(0).getByRole('button', { name: 'Mark as read' }).click();
  await expect.element(dialog.getByRole('status').first()).toMatchTextContent('1 unread');
  await rows.nth(0).getByRole('button', { name: 'Mark as unread' }).click();
  await expect.element(dialog.getByRole('status').first()).toMatchTextContent('2 unread');
  await dialog.getByText('Unread only').click();
  await expect.poll(() => rows.elements().length).toBe(2);
  await dialog.getByRole('button', { name: 'Mark all as read' }).click();
  await expect.element(dialog.getByText('You have read everything.')).toBeVisible();
  expect(marked.map(({ body }) => body)).toEqual([
    { ids: [53], isRead: true },
    { ids: [53], isRead: false },
    { isRead: true },
  ]);
});

it('shows all that are stored, page by page', async () => {
  serve(Array.from({ length: 45 }, (_, index) => record(100 - index)));
  await renderPage('/not-found');
  await open();
  const rows = dialog.getByRole('listitem');
  await expect.poll(() => rows.elements().length).toBe(20);
  const more = dialog.getByRole('button', { name: 'Show older' });
  await more.click();
  await expect.poll(() => rows.elements().length).toBe(40);
  await more.click();
  await expect.poll(() => rows.elements().length).toBe(45);
  await expect.element(rows.nth(44)).toMatchTextContent('DW-2026-000056');
  await expect.element(more).not.toBeInTheDocument();
});

it('shows immediately what is chosen in the settings, and says when it is not saved', async () => {
  serve([]);
  const settings: NotificationSetting[] = [
    { kind: 'worked', inPortal: true, byMail: false, bySms: false, byPush: true },
    { kind: 'digest', inPortal: false, byMail: true, bySms: false, byPush: false },
  ];
  answerCall(getOwnCommunication, { proved: ['email'] });
  answerCall(getNotificationSettings, () => settings);
  answerCall(saveNotificationSetting, () => {
    throw refuse(429, 'TooManyRequests', 'Try again soon');
  });
  await renderPage('/not-found');
  await open();
  await expect.element(dialog.getByText('No notifications')).toBeVisible();
  await dialog.getByRole('button', { name: 'Settings' }).click();
  const group = dialog.getByRole('group', {
    name: 'Someone else acted on a request assigned to you',
  });
  const mail = group.getByRole('checkbox', { name: 'By email' });
  await expect.element(group.getByRole('checkbox', { name: 'By SMS' })).toBeDisabled();
  await expect.element(group.getByRole('checkbox', { name: 'In the browser' })).toBeChecked();
  await expect.element(dialog.getByText(/SMS needs a verified mobile number/)).toBeVisible();
  const digest = dialog.getByRole('group', { name: 'Daily summary of waiting work' });
  expect(digest.getByRole('checkbox').elements()).toHaveLength(1);
  await group.getByText('By email').click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/not saved.*Try again soon/);
  await expect.element(mail).not.toBeChecked();
  const sent = answerCall(saveNotificationSetting, ({ body }) => {
    settings[0] = body as NotificationSetting;
    return settings;
  });
  await group.getByText('By email').click();
  await expect.element(mail).toBeChecked();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ kind: 'worked', inPortal: true, byMail: true, bySms: false, byPush: true }]);
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
});

it('an applicant has the same list on their own page, live, with the number on their menu', async () => {
  signInAs('Client');
  const hub = openHub(accountHub);
  const items = [record(61, { kind: 'feesDue', actorName: '' })];
  const marked = serve(items);
  const settings: NotificationSetting[] = [
    { kind: 'returned', inPortal: true, byMail: true, bySms: true, byPush: true },
    { kind: 'progressed', inPortal: true, byMail: true, bySms: true, byPush: true },
  ];
  answerCall(getOwnCommunication, { proved: ['email'] });
  answerCall(getNotificationSettings, () => settings);
  answerCall(saveNotificationSetting, ({ body }) => {
    const wanted = body as NotificationSetting;
    if (wanted.kind === 'returned')
      throw refuse(400, 'NotificationNeeded', 'Keep email or SMS on for this');
    return (settings[1] = wanted) && settings;
  });
  await renderPage('/account/notifications');
  const menu = page.getByRole('banner').getByRole('button', { name: /My account/ });
  await expect.element(menu).toHaveAccessibleName(/1 unread notification/);
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'DW-2026' });
  await expect.element(rows.nth(0)).toMatchTextContent(/A fee is due for your request/);
  await expect.poll(() => hub.connections.size).toBe(1);
  items.unshift(record(62, { kind: 'completed', actorName: '' }));
  hub.send('requestChanged', 1);
  await expect.element(rows.nth(0)).toMatchTextContent(/Your request has been completed/);
  await expect.element(menu).toHaveAccessibleName(/2 unread notifications/);
  await rows.nth(0).getByRole('button', { name: 'Mark as read' }).click();
  await expect.element(menu).toHaveAccessibleName(/1 unread notification/);
  expect(marked.map(({ body }) => body)).toEqual([{ ids: [62], isRead: true }]);

  const group = (name: string) => page.getByRole('group', { name });
  const progressed = group('Your request moved forward');
  await expect.element(progressed.getByLabelText('By SMS')).toBeDisabled();
  await progressed.getByText('By email').click();
  await expect.poll(() => settings[1]?.byMail).toBe(false);
  const returned = group('Your request needs a correction');
  await expect.element(returned).toMatchTextContent(/We always tell you about this/);
  await returned.getByText('By email').click();
  await expect.element(page.getByText('Keep email or SMS on for this')).toBeVisible();
  await expect.element(returned.getByLabelText('By email')).toBeChecked();
});

it('the number on the menu is right after another page and on the way back to the tab, without a connection', async () => {
  signInAs('Client');
  const hub = openHub(accountHub);
  const items = [record(71)];
  serve(items);
  const { router } = await renderPage('/not-found');
  const menu = page.getByRole('banner').getByRole('button', { name: /My account/ });
  await expect.element(menu).toHaveAccessibleName(/1 unread notification/);
  const clock = vi.spyOn(Date, 'now');
  const now = Date.now();
  items.unshift(record(72));
  clock.mockReturnValue(now + 6000);
  await router.navigate('/help');
  await expect.element(menu).toHaveAccessibleName(/2 unread notifications/);
  items.unshift(record(73));
  clock.mockReturnValue(now + 12_000);
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.element(menu).toHaveAccessibleName(/3 unread notifications/);
  expect(hub.connections.size).toBe(0);
});
