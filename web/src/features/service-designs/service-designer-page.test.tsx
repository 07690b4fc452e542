import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerCall, noConnection, refuse, type ReceivedCall } from '#testing/answer-calls.ts';
import { findAxeProblems, findSnifferProblems } from '#testing/find-accessibility-problems.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { getAllAccountTypesByLogo } from '@diwan/contract/catalogue/account-types';
import { getAgencyRecords, getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import * as calls from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';

const text = (english: string) => ({ 'ar-EG': english, 'en-US': english, 'ur-PK': english });
const document: DraftDocument = {
  replacedName: 'extract',
  name: text('Extract'),
  description: text('An extract'),
  agencyId: 1,
  categoryId: 1,
  accountTypeIds: [1],
  form: {
    steps: [
      {
        name: 'request',
        title: text('Request'),
        fields: [
          { name: 'isUrgent', kind: 'yesNo', title: text('Is it urgent?'), required: true },
          { name: 'reason', kind: 'longText', title: text('Reason'), required: true },
        ],
      },
    ],
  },
  attachments: [],
  eligibility: [],
  fees: [],
  terms: text('Terms'),
  steps: [text('Send')],
  result: text('Result'),
  issuesDocument: false,
  withdrawal: { beforeWork: 'full', afterWork: 'part' },
  objectionDays: 30,
  workingDays: 3,
  workflowId: null,
  availableFrom: null,
  availableUntil: null,
};
const design: calls.ServiceDesign = {
  serviceId: 7,
  document,
  version: 2,
  savedAt: '2026-11-24T08:00:00Z',
  isPublished: true,
  isRetired: false,
  isOutdated: false,
  problems: [],
};
const button = (name: string | RegExp) => page.getByRole('button', { name });
const row = (name: RegExp) => page.getByRole('treeitem', { name });
const box = (name: string) => page.getByRole('textbox', { name });
const tab = (name: RegExp) => page.getByRole('tab', { name });
const documentOf = (sent: ReceivedCall | undefined) =>
  JSON.parse((sent?.body as { document: string } | undefined)?.document ?? '{}') as DraftDocument;
const orderOf = (sent: ReceivedCall | undefined) =>
  documentOf(sent).form?.steps[0]?.fields.map(({ name }) => name);

/** The server: it keeps what is saved, unless `refuseSave` answers. */
async function open(
  shown: calls.ServiceDesign = design,
  refuseSave: (received: ReceivedCall) => void = () => undefined,
) {
  let stored = shown;
  answerCall(getManagedAgencies, []);
  answerCall(getAgencyRecords, [
    {
      id: document.agencyId ?? 1,
      slug: 'agency',
      name: text('Agency'),
      logo: '/logos/agency.svg',
      isRetired: false,
      version: 1,
      servicesCount: 1,
      discounts: [
        {
          name: 'seniors',
          title: text('Seniors'),
          rate: 5000,
          evidence: { kind: 'age', from: 60 },
        },
      ],
    },
  ]);
  answerCall(getAllServiceCategory, []);
  const accountTypes = answerCall(getAllAccountTypesByLogo, [
    {
      accountTypeId: 3,
      accountTypeName: 'Investors',
      alt: '',
      slug: 'investors',
      logo: '/logo.svg',
    },
  ]);
  answerCall(calls.getServiceDesigns, []);
  answerCall(calls.getServiceVersions, []);
  answerCall(calls.compareServiceVersions, []);
  answerCall(calls.getServiceDesign, () => stored);
  const saved = answerCall(calls.saveServiceDraft, (received) => {
    refuseSave(received);
    stored = { ...stored, version: stored.version + 1, document: documentOf(received) };
    return stored;
  });
  const published = answerCall(calls.publishService, () => {
    stored = { ...stored, version: 0 };
    return stored;
  });
  signInAs('Admin');
  await useLanguageOfTest('en-US');
  const { unmount } = await renderPage('/dashboard/services/7');
  await expect.element(shown.waiting ? tab(/Publish/) : row(/Request/)).toBeVisible();
  return { saved, published, accountTypes, unmount };
}

it('offers the account types of the catalogue by their names', async () => {
  const { accountTypes } = await open();
  await row(/About the service/).click();
  await expect.element(page.getByRole('checkbox', { name: 'Investors' })).toBeInTheDocument();
  expect(accountTypes).toHaveLength(1);
});

it('adds a question, sets its condition, moves it and publishes, by keyboard alone', async () => {
  await page.viewport(1280, 900);
  const { saved, published } = await open();
  await row(/About the service/)
    .element()
    .focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  await expect.element(row(/Reason/)).toHaveFocus();
  await button('Add a question').element().focus();
  await userEvent.keyboard('{Enter}Num{Enter}');
  await expect
    .element(page.getByRole('heading', { name: /^Question: Question without/ }))
    .toBeVisible();
  box('English').first().element().focus();
  await userEvent.keyboard('Number of copies');
  await button('Add a condition').first().element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/Reason.* is /).first()).toBeVisible();
  const question = page.getByRole('combobox', { name: 'Question' });
  // A list closes when the page scrolls.
  question.element().scrollIntoView({ block: 'center' });
  question.element().focus();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  // One letter at a time: the list changes under what is typed.
  for (const letter of 'urgent') await userEvent.keyboard(letter);
  await expect.element(question).toHaveValue('urgent');
  await expect.poll(() => page.getByRole('option').elements().length).toBe(1);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(question).toHaveAttribute('aria-activedescendant');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/urgent.* is Yes/).first()).toBeVisible();
  row(/Number of copies/)
    .element()
    .focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await expect.element(row(/Number of copies/)).toHaveFocus();
  await expect.poll(() => orderOf(saved.at(-1))).toEqual(['isUrgent', 'numberOfCopies', 'reason']);
  await expect
    .poll(() => documentOf(saved.at(-1)).form.steps[0]?.fields[1])
    .toMatchObject({
      kind: 'number',
      title: { 'en-US': 'Number of copies' },
      showWhen: { field: 'isUrgent', equals: true },
    });
  tab(/Build/).element().focus();
  await userEvent.keyboard('{End}');
  await expect.element(button('Publish now')).toBeVisible();
  (button('Publish now').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByText('Open requests keep the form', { exact: false }))
    .toBeVisible();
  button('Publish the service').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => published[0]?.body).toEqual({ serviceId: 7, version: 2 + saved.length });
});

it('deletes with undo, saves each change with the version that it read', async () => {
  const { saved } = await open();
  await row(/Reason/).click();
  await userEvent.keyboard('{Delete}');
  row(/urgent/)
    .element()
    .focus();
  await expect.element(page.getByText(/Reason.* deleted/)).toBeVisible();
  await expect.poll(() => orderOf(saved.at(-1))).toEqual(['isUrgent']);
  await button('Undo').click();
  await expect.poll(() => orderOf(saved.at(-1))).toEqual(['isUrgent', 'reason']);
  await expect
    .poll(() => saved.map(({ body }) => (body as { version: number }).version))
    .toEqual([2, 3]);
  await expect.element(page.getByText(/^Saved /)).toBeVisible();
  expect([...(await findAxeProblems()), ...(await findSnifferProblems())]).toEqual([]);
});

it('keeps the draft in the browser without a connection, and says so', async () => {
  const { saved, unmount } = await open(design, noConnection);
  await row(/Reason/).click();
  await box('English').first().fill('Why?');
  await expect.element(page.getByText(/^Saved on this device/).last()).toBeVisible();
  await expect.poll(() => saved.length).toBeGreaterThan(0);
  // It is there when the page opens again, and saved once the connection is back.
  await unmount();
  await renderPage('/dashboard/services/7');
  await row(/Reason|Why/).click();
  await expect.element(box('English').first()).toHaveValue('Why?');
  await expect.element(page.getByText(/changes of an earlier visit/)).toBeVisible();
  const sent = answerCall(calls.saveServiceDraft, (received) => ({
    ...design,
    version: 3,
    document: documentOf(received),
  }));
  window.dispatchEvent(new Event('online'));
  await expect
    .poll(() => sent.length > 0 && documentOf(sent.at(-1)).form.steps[0]?.fields[1]?.title)
    .toMatchObject({ 'en-US': 'Why?' });
});

it('lets the person choose when somebody else has saved', async () => {
  let isFirst = true;
  const { saved } = await open(design, () => {
    if (!isFirst) return;
    isFirst = false;
    answerCall(calls.getServiceDesign, {
      ...design,
      version: 5,
      document: { ...document, workingDays: 9 },
    });
    throw refuse(409, 'RecordHasChanged');
  });
  await row(/Reason/).click();
  await box('English').first().fill('Why?');
  await button('Save my version').click();
  await expect.poll(() => saved.at(-1)?.body).toMatchObject({ version: 5 });
  await expect
    .poll(() => documentOf(saved.at(-1)).form.steps[0]?.fields[1]?.title['en-US'])
    .toBe('Why?');
});

it('opens the part at fault; a draft with errors is not published', async () => {
  const { published } = await open({
    ...design,
    problems: [
      {
        severity: 'error',
        code: 'textMissing',
        place: 'form.steps.0.fields.1.title',
        params: { language: 'ur-PK' },
      },
      {
        severity: 'error',
        code: 'conditionOnItself',
        place: 'form.steps.0.fields.0.showWhen',
        params: { name: 'isUrgent' },
      },
    ],
  });
  await tab(/Publish/).click();
  await expect.element(page.getByText('2 errors prevent publishing')).toBeVisible();
  await button('Publish now').click();
  await expect.element(page.getByText('Write the text in', { exact: false })).toBeVisible();
  await button('Is it urgent?').click();
  await expect
    .element(page.getByText('The condition refers to its own question', { exact: false }))
    .toBeVisible();
  await expect
    .element(page.getByRole('heading', { name: 'Question: Is it urgent?' }))
    .toHaveFocus();
  await expect.poll(() => published).toEqual([]);
});

it('publishes what was typed just before: it is saved and checked first, one save at a time', async () => {
  const problem = {
    severity: 'error' as const,
    code: 'textMissing' as const,
    place: 'form.steps.0.fields.1.title',
    params: { language: 'ur-PK' },
  };
  await open({ ...design, problems: [problem] });
  let version = design.version;
  const saved = answerCall(calls.saveServiceDraft, (received) => {
    const sent = received.body as { version: number };
    if (sent.version !== version) throw refuse(409, 'RecordHasChanged');
    version += 1;
    return { ...design, version, problems: [], document: documentOf(received) };
  });
  await row(/Reason/).click();
  await expect.element(box('English').first()).toHaveValue('Reason');
  await box('English').first().fill('Why?');
  await tab(/Publish/).click();
  // By a key: the note about the problem goes when the save is answered, and the button moves.
  await expect.element(button('Publish now')).toBeVisible();
  (button('Publish now').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Publish the service')).toBeVisible();
  await expect
    .poll(() => documentOf(saved.at(-1)).form.steps[0]?.fields[1]?.title['en-US'])
    .toBe('Why?');
});

it('shows each change in the JSON, and applies what the server has read', async () => {
  const { saved } = await open();
  await tab(/JSON/).click();
  const json = box('Service as JSON');
  await json.fill('{');
  await expect.element(page.getByText(/not valid JSON/)).toBeVisible();
  await expect.element(button('Apply the JSON')).toBeDisabled();
  await json.fill(JSON.stringify({ ...document, workingDays: 9 }));
  await button('Apply the JSON').click();
  await expect.poll(() => saved.length && documentOf(saved.at(-1)).workingDays).toBe(9);
  await expect.element(json).toHaveValue(JSON.stringify({ ...document, workingDays: 9 }, null, 2));
});

it('previews the form in another language with test answers and the price', async () => {
  const per = {
    ...document.form.steps[0]!.fields[1]!,
    name: 'copies',
    kind: 'number' as const,
    maximum: 9,
  };
  await open({
    ...design,
    document: {
      ...document,
      form: { steps: [{ ...document.form.steps[0]!, fields: [per] }] },
      fees: [{ name: 'copy', title: text('Copy'), amount: 1500, vatRate: 0, per: 'copies' }],
    },
  });
  await tab(/Preview/).click();
  const preview = page.getByRole('region', { name: 'Preview of the form' });
  await expect.element(preview.getByText('What it costs')).toBeVisible();
  await button('Fill in test answers').click();
  await expect.element(preview.getByText(/30\.00/).first()).toBeVisible();
  await preview.getByRole('textbox').fill('4');
  await expect.element(preview.getByText(/60\.00/).first()).toBeVisible();
  await preview.getByRole('button', { name: /Your discount/ }).click();
  await page.getByRole('option', { name: 'Seniors 50%' }).click();
  await expect.element(preview.getByText('Seniors 50%: Copy').first()).toBeVisible();
  await button(/Language/).click();
  await page.getByRole('option', { name: 'العربية' }).click();
  await expect.element(preview.getByRole('heading', { name: 'الرسوم' })).toBeVisible();
});

it('charges a percentage of an amount that is answered, with a least and a greatest fee', async () => {
  const price = {
    ...document.form.steps[0]!.fields[1]!,
    name: 'price',
    kind: 'money' as const,
    title: text('Price'),
    minimum: 0,
  };
  const { saved } = await open({
    ...design,
    document: {
      ...document,
      form: { steps: [{ ...document.form.steps[0]!, fields: [price] }] },
      fees: [{ name: 'fee', title: text('Fee'), amount: 1000, vatRate: 0 }],
    },
  });
  const lastFee = () => saved.length > 0 && documentOf(saved.at(-1)).fees[0];
  await row(/^Fee$/).click();
  await page.getByRole('radio', { name: /A percentage of an amount/ }).click();
  await page.getByRole('textbox', { name: 'Percentage' }).fill('4');
  await page.getByRole('textbox', { name: /At most/ }).fill('500');
  await expect
    .poll(lastFee)
    .toMatchObject({ amount: 1000, percentOf: 'price', rate: 400, maximum: 50_000 });
  await tab(/Preview/).click();
  const preview = page.getByRole('region', { name: 'Preview of the form' });
  await preview.getByRole('textbox').fill('2000');
  await expect.element(preview.getByText(/4% of .*2,000/)).toBeVisible();
  await expect.element(preview.getByText(/80\.00/).first()).toBeVisible();
});

it('says at the place that a fee is below zero and that a label holds code, and keeps both', async () => {
  const { saved } = await open({
    ...design,
    document: { ...document, fees: [{ name: 'fee', title: text('Fee'), amount: 100, vatRate: 0 }] },
  });
  await row(/^Fee$/).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('-5');
  await expect.element(page.getByText('A fee is zero or more')).toBeVisible();
  await box('English').first().fill('<script>alert(1)</script>');
  await expect.element(page.getByText(/unfinished/)).toBeVisible();
  await expect
    .poll(() => saved.length > 0 && documentOf(saved.at(-1)).fees[0])
    .toMatchObject({ amount: -500, title: { 'en-US': '<script>alert(1)</script>' } });
});

it('stores how a fee is treated for VAT: rate and category together', async () => {
  const { saved } = await open({
    ...design,
    document: { ...document, fees: [{ name: 'fee', title: text('Fee'), amount: 100, vatRate: 0 }] },
  });
  await row(/^Fee$/).click();
  const vat = page.getByRole('combobox', { name: 'VAT' });
  await expect.element(vat).toHaveValue('Outside the scope of VAT');
  const choose = async (name: string) => {
    await vat.fill(name);
    await expect.element(page.getByRole('option', { name })).toBeVisible();
    // The list moves while it opens, and a click may miss it.
    await userEvent.keyboard('{ArrowDown}{Enter}');
  };
  const lastFee = () => saved.length > 0 && documentOf(saved.at(-1)).fees[0];
  await choose('Zero-rated (0%)');
  await expect.poll(lastFee).toMatchObject({ vatRate: 0, vatCategory: 'zeroRated' });
  await choose('Standard rate (5%)');
  await expect
    .poll(lastFee)
    .toEqual({ name: 'fee', title: text('Fee'), amount: 100, vatRate: 500 });
});

const waiting = (isOwn: boolean): calls.WaitingPublication => ({
  id: 8,
  askedBy: 'Mona',
  isOwn,
  askedAt: '2026-11-27T08:00:00.000Z',
  fees: [
    {
      title: { 'ar-EG': 'رسم', 'en-US': 'Application fee', 'ur-PK': 'فیس' },
      before: 20_000,
      after: 200_000,
    },
  ],
});
const amounts = /Application fee.: AED.200(\.00)? becomes AED.2,000/;

it('shows fees that wait for a second person before and after, and asks before it confirms them', async () => {
  await open({ ...design, waiting: waiting(false) });
  const decided = answerCall(calls.decidePublication, design);
  // A user who follows the link to it sees it first.
  await expect.element(page.getByText(amounts)).toBeVisible();
  await button('Confirm and publish').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toMatchTextContent(amounts);
  expect(decided).toEqual([]);
  await dialog.getByRole('button', { name: 'Confirm and publish' }).click();
  await expect
    .poll(() => decided.map(({ body }) => body))
    .toEqual([{ serviceId: 7, id: 8, isConfirmed: true }]);
});

it('lets who asked take a publication back, and editors without the right only read of it', async () => {
  const { unmount } = await open({ ...design, waiting: waiting(true) });
  const cancelled = answerCall(calls.cancelPublication, design);
  await tab(/Publish/).click();
  await expect.element(button('Confirm and publish')).not.toBeInTheDocument();
  await button('Take it back').click();
  await expect.poll(() => cancelled.length).toBe(1);
  await unmount();
  await open({ ...design, waiting: waiting(false) });
  signInAs('Content');
  await tab(/Publish/).click();
  await expect.element(page.getByText(amounts)).toBeVisible();
  await expect.element(button('Refuse')).not.toBeInTheDocument();
});

it('says how many open requests move with the service, and follows them until all have moved', async () => {
  const move = { agencyName: 'Ministry of Interior', openRequests: 3, isMoving: false };
  await open({ ...design, agencyMove: move });
  await tab(/Publish/).click();
  const before = /3 open requests move to .Ministry of Interior. when this is published/;
  await expect.element(page.getByText(before)).toBeVisible();
  await button('Publish now').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toMatchTextContent(before);
  let left = 3;
  answerCall(calls.publishService, design);
  answerCall(calls.getServiceDesign, () => {
    const isMoving = left > 0;
    const agencyMove = { ...move, isMoving, openRequests: left };
    return { ...design, version: 0, ...(isMoving ? { agencyMove } : {}) };
  });
  await dialog.getByRole('button', { name: 'Publish the service' }).click();
  const moving = (count: string) => page.getByText(new RegExp(`${count} still moving to`));
  await expect.element(moving('3 open requests are')).toBeVisible();
  left = 1;
  await expect.element(moving('1 open request is')).toBeVisible();
  left = 0;
  await expect
    .element(page.getByText(/All open requests have moved to .Ministry of Interior/))
    .toBeVisible();
});

it('names fees that become ten times as large or small before it publishes', async () => {
  await open();
  const fee = { 'ar-EG': 'رسم', 'en-US': 'Application fee', 'ur-PK': 'فیس' };
  answerCall(
    calls.compareServiceVersions,
    [
      { path: [fee], before: 20_000, after: 200_001 },
      { path: [{ ...fee, 'en-US': 'Usual fee' }], before: 20_000, after: 200_000 },
    ].map((change) => ({ kind: 'changed', part: 'fee', property: 'amount', ...change })),
  );
  await row(/Reason/).click();
  await box('English').first().fill('Why?');
  await tab(/Publish/).click();
  await button('Publish now').click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toMatchTextContent(/Application fee.: AED.200(\.00)? becomes/);
  await expect.element(dialog).not.toMatchTextContent(/Usual fee/);
});

it('names who asked for a version and who confirmed it, with the times that are known', async () => {
  await open();
  answerCall(calls.getServiceVersions, [
    {
      number: 2,
      origin: 'designer',
      at: '2026-11-24T08:00:00.000Z',
      by: 'Sara Ali',
      confirmation: {
        by: 'Omar Said',
        askedAt: '2026-11-22T08:00:00.000Z',
        at: '2026-11-23T09:30:00.000Z',
      },
    },
    { number: 1, origin: 'designer', at: '2026-11-20T08:00:00.000Z', by: 'Sara Ali' },
  ]);
  await tab(/Publish/).click();
  const version = (number: number) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: `Compare with version ${number}` }) });
  await expect
    .element(version(2))
    .toMatchTextContent(/Requested by .Sara Ali. · 22 Nov 2026.*Confirmed by .Omar Said. · 23 Nov/);
  await expect.element(version(1)).toMatchTextContent(/Published 20 Nov 2026.* · Sara Ali/);
  await expect.element(version(1)).not.toMatchTextContent(/Confirmed by/);
});
