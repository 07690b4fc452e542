import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { readToken } from '#lib/api/session.ts';
import { pageOf } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { renderPage, tokenOf, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';
import { joinStaff, readStaffInvitation } from '@diwan/contract/staff/staff-invitations';

const button = (name: string) => page.getByRole('button', { name });

beforeEach(async () => {
  await useLanguageOfTest('en-US');
  answerCall(readStaffInvitation, {
    email: 'salem@portal.example',
    fullName: 'Salem Clerk',
    invitedBy: 'Mona Admin',
    expiresAt: '2026-03-01T08:00:00.000Z',
    roles: ['Employee'],
    allAgencies: false,
    agencies: [],
  });
});

// The home page would end the session (specification §2).
it('leads a new clerk, who stays signed in, to the new requests', async () => {
  const token = tokenOf('Employee');
  answerCall(joinStaff, { token });
  // The page that follows reads them; it may do so before this test ends.
  answerCall(getSavedFilters, []);
  answerCall(getAllStatuses, []);
  answerCall(getRequestsByStatusId, pageOf([]));
  const { address } = await renderPage('/account/invitation#link');
  await button('Create an account').click();
  for (const [name, value] of [
    ['Mobile number', '0502223344'],
    ['Username', 'salem'],
    ['Password', 'Quiet-Lanterns-7042!'],
    ['Password again', 'Quiet-Lanterns-7042!'],
  ] as const)
    await page.getByLabelText(name, { exact: true }).fill(value);
  await button('Create account').click();
  await expect.poll(address).toBe('/requests/new');
  expect(readToken()).toBe(token);
});
