import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { openHub } from '#testing/answer-hubs.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { statusRecords } from '#testing/request-records.ts';
import {
  getAllStatuses,
  getRequestsByStatusId,
  getRequestsCount,
} from '@diwan/contract/requests/request-lists';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';
import { getNotifications } from '@diwan/contract/staff/notifications';
import { presenceHub, requestHub } from '@diwan/contract/wire/hubs';

afterEach(() => {
  vi.restoreAllMocks();
});

const bell = page.getByRole('banner').getByRole('button', { name: /الإشعارات/ });
const badge = () => bell.element().querySelector('[data-badge]')?.textContent;
const liveState = () => document.querySelector('[data-live]')?.getAttribute('data-live');
const dots = () => bell.element().querySelectorAll('[data-buzz]').length;

const answerCounts = (newRequestsCount: number, processingRequestsCount: number, sequence = 0) =>
  answerCall(getRequestsCount, { newRequestsCount, processingRequestsCount, sequence });

it.each([
  [0, 0, undefined, 'لا توجد طلبات جديدة، لا توجد طلبات قيد الإنجاز'],
  [1, 0, '1', 'طلب جديد واحد، لا توجد طلبات قيد الإنجاز'],
  [60, 38, '98', '60 طلبًا جديدًا، 38 طلبًا قيد الإنجاز'],
  [60, 39, '+99', '60 طلبًا جديدًا، 39 طلبًا قيد الإنجاز'],
  [4000, 2, '+99', '4,000 طلب جديد، طلبان قيد الإنجاز'],
])('%i new and %i in progress: badge %s', async (created, processing, text, name) => {
  answerCounts(created, processing);
  signInAs('Employee');
  await renderPage('/not-found');
  await expect.element(bell).toHaveAccessibleName(`الإشعارات: ${name.replace('4,000', '4000')}`);
  expect(badge()).toBe(text);
});

it('enters in 500 ms (specification §9)', async () => {
  answerCounts(0, 0);
  signInAs('Employee');
  await renderPage('/not-found');
  await expect.element(bell).toBeVisible();
  const frame = bell.element().closest('[data-live]');
  if (!frame) throw new Error('The bell has no frame.');
  expect(getComputedStyle(frame).animationName).toBe('bell');
  // Nothing moves in these tests.
  expect(getComputedStyle(frame).getPropertyValue('--animate-bell')).toMatch(/^bell (500ms|\.5s) /);
});

it('marks unread notifications on the bell alone, at its end', async () => {
  answerCounts(2, 1);
  answerCall(getNotifications, { items: [], pageNumber: 1, totalCount: 0, unreadCount: 15 });
  signInAs('Employee');
  await renderPage('/not-found');
  await expect.poll(() => bell.element().querySelector('[data-unread]')).not.toBeNull();
  const badges = [...document.querySelectorAll('header [data-badge]')];
  expect(badges.map((each) => each.textContent).filter((text) => text === '15')).toEqual([]);
  // On an Arabic page the number is left of the middle of the bell.
  const { left, width } = bell.element().getBoundingClientRect();
  await expect
    .poll(() => bell.element().querySelector('[data-badge]')?.getBoundingClientRect().right)
    .toBeLessThan(left + width * 0.6);
});

it('opens a list from its menu, with the number of each', async () => {
  await useLanguageOfTest('en-US');
  answerCounts(2, 120);
  signInAs('ServiceProvider', { partnerId: 9 });
  openHub(requestHub);
  openHub(presenceHub);
  await renderPage('/not-found');
  await page.getByRole('button', { name: /Notifications: 2 new requests/ }).click();
  const items = page.getByRole('menuitem');
  await expect
    .poll(() => namesOf(items))
    .toEqual([
      'New requests 2 requests',
      'In progress 120 requests',
      'Notifications 0 unread notifications',
    ]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /Notifications/ })).toHaveFocus();
});

it('counts and marks a request that arrives, without another call', async () => {
  const asked = answerCounts(1, 0);
  const hub = openHub(requestHub);
  signInAs('Employee');
  await renderPage('/not-found');
  await expect.poll(liveState).toBe('connected');
  await expect.poll(badge).toBe('1');
  const before = asked.length;
  hub.send('requestCreated', 1);
  await expect.poll(badge).toBe('2');
  expect(dots()).toBe(1);
  hub.send('requestProcessing', 2);
  await expect.poll(badge).toBe('3');
  hub.send('requestDetails', 3);
  hub.send('requestSubmitted', 4);
  await expect.poll(badge).toBe('1');
  expect(asked).toHaveLength(before);
  await bell.click();
  await expect
    .poll(() => [...document.querySelectorAll('[role=menuitem] [data-buzz]')].length)
    .toBe(2);
});

it('marks new requests until the user opens their list', async () => {
  answerCounts(0, 0);
  answerCall(getAllStatuses, statusRecords);
  answerCall(getSavedFilters, []);
  answerCall(getRequestsByStatusId, pageOf([]));
  const hub = openHub(requestHub);
  signInAs('Employee');
  const { address } = await renderPage('/not-found');
  await expect.poll(liveState).toBe('connected');
  await expect.element(bell).toHaveAccessibleName(/طلب|request/);
  hub.send('requestCreated', 1);
  await expect.poll(dots).toBe(1);
  await bell.click();
  await page.getByRole('menuitem', { name: /^الطلبات الجديدة/ }).click();
  await expect.poll(address).toBe('/requests/new');
  await expect.poll(dots).toBe(0);
});

it('announces requests that arrive together once', async () => {
  answerCounts(0, 0);
  const hub = openHub(requestHub);
  signInAs('Employee');
  await renderPage('/not-found');
  await expect.poll(liveState).toBe('connected');
  // Requests are announced once their number is known.
  await expect.element(bell).toHaveAccessibleName(/لا توجد طلبات جديدة/);
  hub.send('requestCreated', 1);
  hub.send('requestCreated', 2);
  await expect
    .element(
      page
        .getByRole('banner')
        .getByRole('status')
        .getByText(/طلبان جديدان/),
    )
    .toBeInTheDocument();
});

it('asks the server again after a missing event and after a new connection', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const asked = answerCounts(5, 0);
  const hub = openHub(requestHub);
  signInAs('Employee');
  await renderPage('/not-found');
  await expect.poll(liveState).toBe('connected');
  await expect.poll(badge).toBe('5');
  hub.send('requestDetails', 1);
  await expect.poll(badge).toBe('4');
  answerCounts(7, 0, 3);
  hub.send('requestDetails', 3);
  await expect.poll(badge).toBe('7');
  hub.close();
  await expect.poll(liveState).toBe('reconnecting');
  await bell.click();
  await expect.element(page.getByText(/التحديث الفوري متوقف مؤقتًا\. نعيد/)).toBeVisible();
  await expect.element(bell).toHaveAccessibleName(/التحديث الفوري متوقف مؤقتًا$/);
  await expect.element(page.getByRole('menuitem', { name: 'إعادة الاتصال الآن' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  answerCounts(8, 0, 3);
  openHub(requestHub);
  window.dispatchEvent(new Event('focus'));
  await expect.poll(liveState).toBe('connected');
  await expect.poll(badge).toBe('8');
  expect(asked.length).toBeGreaterThan(0);
});

it('ends its connection with the session', async () => {
  const hub = openHub(requestHub);
  signInAs('Employee');
  const { unmount } = await renderPage('/not-found');
  await expect.poll(() => hub.connections.size).toBe(1);
  await unmount();
  await expect.poll(() => hub.connections.size).toBe(0);
});
