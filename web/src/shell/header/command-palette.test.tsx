import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, holdReply, noConnection } from '#testing/answer-calls.ts';
import { userDetails } from '#testing/people-records.ts';
import { namesOf, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { findAnything } from '@diwan/contract/requests/request-lists';
import { getUserById } from '@diwan/contract/staff/user-administration';

const nothing = {
  requests: [],
  services: [],
  documents: [],
  payments: [],
  people: [],
  companies: [],
  partners: [],
  unfinished: [],
};
const found = {
  ...nothing,
  requests: [
    {
      requestNumber: 'DW-2026-000041',
      serviceName: 'Renew Vehicle Ownership',
      applicantName: 'Mariam',
      statusId: 3,
      statusName: 'New',
      statusTone: 'progress' as const,
    },
  ],
  people: [
    {
      userId: '3f1c2b7a-0000-4000-8000-000000000001',
      username: 'mariam',
      fullName: 'Mariam Al Demo',
      email: 'mariam@example.ae',
      roles: ['Employee' as const],
    },
  ],
};
const dialog = page.getByRole('dialog');
const input = dialog.getByRole('combobox');
const options = dialog.getByRole('option');

beforeEach(() => {
  localStorage.removeItem('palette-recent:mariam');
  answerCall(findAnything, found);
});

async function open() {
  await useLanguageOfTest('en-US');
  signInAs('Admin');
  const screen = await renderPage('/not-found');
  await expect.element(page.getByRole('button', { name: 'Find anything' })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(input).toHaveFocus();
  return screen;
}

it('opens by Ctrl-K with the pages, and closes by Escape', async () => {
  await open();
  await expect.poll(() => namesOf(options)).toContain('Workflow');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Find anything' }).click();
  await expect.element(input).toHaveFocus();
});

it('finds by typing, moves by arrows and opens by Enter; remembers the name only', async () => {
  const asked = answerCall(findAnything, found);
  answerCall(getUserById, userDetails());
  const { address } = await open();
  await userEvent.keyboard('mariam');
  await expect.poll(() => options.elements().length).toBe(2);
  await expect.poll(() => asked.at(-1)?.query.get('Text')).toBe('mariam');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect
    .poll(() =>
      document.getElementById(input.element().getAttribute('aria-activedescendant') ?? ''),
    )
    .toBe(options.elements()[1]);
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(`/dashboard/users/${found.people[0]?.userId}`);
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard('{Meta>}k{/Meta}');
  await expect.element(dialog.getByRole('group', { name: 'Recently opened' })).toBeVisible();
  await expect.element(options.first()).toHaveTextContent('Mariam Al Demo');
  expect(JSON.stringify({ ...localStorage })).not.toContain('mariam@example.ae');
});

it('opens what a number names: the request of an invoice, a payment, a service', async () => {
  answerCall(findAnything, {
    ...nothing,
    documents: [{ number: 'INV-2026-000010', kind: 'invoice', requestNumber: 'DW26-04711-90210' }],
    payments: [
      { merchantReference: 'DW26-04711-90210-ab', status: 'paid', amount: 31_500, currency: 'AED' },
    ],
    services: [{ id: 12, name: 'Renew a licence', replacedName: 'renew', agencyName: 'Roads' }],
  });
  await open();
  await userEvent.keyboard('inv 2026');
  await expect
    .element(options.first())
    .toMatchTextContent(/INV-2026-000010Invoice · .DW26-04711-90210/);
  await expect.element(options.nth(1)).toMatchTextContent(/Paid · AED\s315\.00/);
  const keys = options.elements().map((option) => option.getAttribute('data-key'));
  expect(keys).toEqual([
    '/requests/request-details?request-number=DW26-04711-90210#INV-2026-000010',
    '/dashboard/payments?payment=DW26-04711-90210-ab',
    '/dashboard/services/12',
  ]);
});

it('says that it searches, that nothing is found, and that something failed', async () => {
  const { reply, release } = holdReply<typeof nothing>();
  answerCall(findAnything, () => reply);
  await open();
  const status = dialog.getByRole('status');
  await userEvent.keyboard('z');
  await expect.element(status).toHaveTextContent('Type at least two letters.');
  await userEvent.keyboard('z');
  await expect.element(status).toHaveTextContent('Searching');
  release(nothing);
  await expect.element(status).toHaveTextContent('Nothing found. Try a number or other words.');
  answerCall(findAnything, { ...found, unfinished: ['companies'] });
  await userEvent.keyboard('x');
  await expect.element(status).toMatchTextContent(/Not everything could be searched in time/);
  answerCall(findAnything, noConnection);
  await userEvent.keyboard('y');
  await expect.element(status).toMatchTextContent(/connection|server/i);
});

it('is for staff only', async () => {
  await useLanguageOfTest('en-US');
  signInAs('Client');
  await renderPage('/not-found');
  await expect.element(page.getByRole('button', { name: /My account/ })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  expect(page.getByRole('button', { name: 'Find anything' }).elements()).toEqual([]);
  expect(dialog.elements()).toEqual([]);
});
