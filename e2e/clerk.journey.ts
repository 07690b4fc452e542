import type { Page } from '@playwright/test';
import { receiveRequest, releaseRequest } from '@diwan/contract/requests/request-actions';
import { getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { call, newToken, sendReadableRequest, storeSession } from './api.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, screens, waitUntilIdle, textsOf } from './steps.ts';

const [phone] = screens;

const send = async (applicantName: string) =>
  String((await sendReadableRequest('individual', { applicantName })).requestId);

/** Presses a key as an Arabic keyboard sends it: an Arabic letter at the place of the Latin key. */
async function pressArabicKeys(page: Page): Promise<(code: string) => Promise<void>> {
  const letters: Record<string, string> = {
    KeyA: 'ش',
    KeyZ: 'ئ',
    KeyJ: 'ت',
    KeyX: 'ء',
    KeyE: 'ث',
    KeyF: 'ب',
    KeyK: 'ن',
    KeyN: 'ى',
    KeyL: 'م',
    KeyR: 'ق',
    KeyP: 'ح',
    KeyB: 'لا',
    Slash: 'ظ',
    BracketRight: 'د',
  };
  const keyboard = await page.context().newCDPSession(page);
  return async (code) => {
    const key = letters[code] ?? '';
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text: key });
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
  };
}

/** The document that is open, once dark pixels of its first page are painted. */
async function paintedDocument(page: Page, except = ''): Promise<string> {
  const open = page.locator(`[data-document]${except ? `:not([data-document="${except}"])` : ''}`);
  await expect(open).toBeVisible();
  await expect
    .poll(() =>
      open
        .locator('[data-page="1"] canvas')
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas
            .getContext('2d')
            ?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          let dark = 0;
          for (let place = 0; place < data.length; place += 4)
            if ((data[place] ?? 255) < 20 && data[place + 3] === 255) dark += 1;
          return dark / (canvas.width * canvas.height);
        })
        .catch(() => 0),
    )
    .toBeGreaterThan(0.1);
  return (await open.getAttribute('data-document')) ?? '';
}

test('a clerk works through a list by keyboard alone (ar-EG)', async ({ browser }) => {
  const t = textsOf('ar-EG');
  const name = `سلوى ${Date.now()}`;
  const ids = [await send(name), await send(name), await send(name), await send(name)];
  const { page, problems } = await openBrowser(browser, {
    language: 'ar-EG',
    width: 1280,
    height: 900,
  });
  await storeSession(page, 'employee');
  const press = await pressArabicKeys(page);
  const rows = page.locator('tbody tr');
  await page.goto('/requests/new');
  await expect(rows.first()).toBeVisible();

  // Searches.
  await press('Slash');
  await page.keyboard.insertText(name);
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(4);
  await expectAccessible(page);

  // Three are selected, the newest first; another employee takes one of these at that moment.
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  for (const _ of [1, 2, 3]) {
    await press('KeyJ');
    await press('KeyX');
  }
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3);
  expect(
    (
      await call(receiveRequest, {
        token: await newToken('employee2'),
        params: { requestId: Number(ids[2]) },
        query: {},
      })
    ).status,
  ).toBe(200);
  await press('KeyE');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.locator('[data-result=done]')).toHaveCount(2);
  await expect(dialog.locator('[data-result=late]')).toHaveCount(1);
  await expect(
    dialog.getByRole('listitem').filter({ has: page.locator('[data-result=late]') }),
  ).toContainText('خالد العرض');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(rows).toHaveCount(1);

  // Releases both.
  const held = `/requests/processing?q=${encodeURIComponent(name)}&mine=1`;
  await page.goto(held);
  await expect(rows).toHaveCount(2);
  for (const _ of [1, 2]) {
    await press('KeyJ');
    await press('KeyX');
  }
  await press('KeyL');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.locator('[data-result=done]')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(rows).toHaveCount(0);
  const token = await newToken('employee');
  for (const id of [ids[1], ids[3]].map(Number))
    await call(receiveRequest, { token, params: { requestId: id }, query: {} });

  // Opens the first of the clerk's requests and reads both documents in place.
  await page.goto(held);
  await expect(rows).toHaveCount(2);
  await press('KeyJ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: t('requests:staff.documents') })).toBeVisible();
  const first = page.url();
  await press('BracketRight');
  const one = await paintedDocument(page);
  await press('BracketRight');
  await paintedDocument(page, one);
  await expect(page.getByText(t('staff:viewer.allViewed'))).toBeVisible();
  await expect(page.locator('[data-viewed=true]').first()).toContainText('مريم العرض');
  // Only pages near the visible part are painted, of twelve.
  if ((await page.locator('[data-page]').count()) === 1) await press('BracketRight');
  await expect(page.locator('[data-page]')).toHaveCount(12);
  await expect.poll(() => page.locator('[data-page] canvas').count()).toBeLessThan(6);
  await expectAccessible(page);

  // An approval opens the next request; undoing it opens the request again, as it was.
  const number = new URL(first).searchParams.get('request-number') ?? '';
  await press('KeyA');
  await expect(page).not.toHaveURL(first);
  await expect(page.locator('[data-bar-line=done]')).toContainText(number);
  await press('KeyZ');
  await expect(page).toHaveURL(first);
  await expect(page.locator('strong', { hasText: number })).toBeVisible();
  await expect(page.locator('[data-focus-id~=approve]')).toBeVisible();
  await expect(page.locator('main')).toContainText(t('staff:undo.undone'));

  // Two marks, each with its reason, and the return: eight keys. Undoing it brings the marks back.
  const menu = page.getByRole('menu');
  const flagByKey = async () => {
    await press('KeyF');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(menu).toHaveCount(0);
  };
  await flagByKey();
  await press('KeyK');
  await flagByKey();
  await expect(page.locator('[data-mark-flag=marked]')).toHaveCount(2);
  await expectAccessible(page);
  await press('KeyR');
  await expect(dialog).toContainText(t('returns:marks.count_two'));
  await page.keyboard.press('Control+Enter');
  await expect(page).not.toHaveURL(first);
  await press('KeyZ');
  await expect(page).toHaveURL(first);
  await expect(page.locator('[data-mark-flag=marked]')).toHaveCount(2);

  // A reload restores the input of a dialog.
  await press('KeyR');
  await dialog.getByText(t('returns:marks.whole')).click();
  await dialog.locator('[data-focus-id~=MessageIncomplete]').fill('أرفق نسخة أوضح.');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.locator('[data-focus-id~=return]')).toBeVisible();
  await press('KeyR');
  await expect(dialog.locator('[data-focus-id~=MessageIncomplete]')).toHaveValue('أرفق نسخة أوضح.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // The next request is released; then the list is at its end.
  await press('KeyN');
  await expect(page).not.toHaveURL(first);
  await waitUntilIdle(page);
  // Back to the list at the same place: the last opened row has the focus.
  await press('KeyB');
  await expect(rows).toHaveCount(2);
  await expect(rows.last().getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: t('requests:staff.documents') })).toBeVisible();
  await waitUntilIdle(page);
  await press('KeyL');
  const receive = page.locator('[data-focus-id~=receive]');
  await receive.hover();
  // After receiving, the button to approve is under the pointer; the second click of a double click
  // does not press it.
  const actions: string[] = [];
  page.on('request', (request) => {
    if (/Request\/(Receive|Approve)Request/.test(request.url())) actions.push(request.url());
  });
  await page.mouse.down();
  await page.mouse.up();
  await page.locator('[data-focus-id~=approve]').waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await page.locator('[data-focus-id~=release]').click();
  await expect(receive).toBeVisible();
  expect(actions).toHaveLength(1);
  await press('KeyN');
  await expect(page.getByText(t('staff:next.end'))).toBeVisible();
  // An action of another employee is shown immediately.
  expect(
    (
      await call(receiveRequest, {
        token: await newToken('employee2'),
        params: { requestId: await readRequestId(page) },
        query: {},
      })
    ).status,
  ).toBe(200);
  await expect(page.locator('[data-changed=now]')).toContainText('خالد العرض');
  await expect(page.locator('[data-focus-id~=receive]')).toHaveCount(0);
  // Changes during another request are marked in the list, and shown when the clerk returns to it.
  const last = await readRequestId(page);
  await page.goto(`/requests/all?q=${encodeURIComponent(name)}`);
  await expect(rows).toHaveCount(4);
  await expect(page.getByText(t('staff:list.changed'), { exact: true })).toHaveCount(0);
  expect(
    (await call(releaseRequest, { token: await newToken('employee2'), body: { requestId: last } }))
      .status,
  ).toBe(200);
  await page.reload();
  const changed = rows.filter({ hasText: t('staff:list.changed') });
  await expect(changed).toHaveCount(1);
  await changed.getByRole('link').press('Enter');
  await expect(page.locator('[data-changed=since]')).toContainText('خالد العرض');
  expect(problems).toEqual([]);
});

/** The id of the request whose number is in the address. */
async function readRequestId(page: Page): Promise<number> {
  const number = new URL(page.url()).searchParams.get('request-number') ?? '';
  const { body } = await call(getRequestIdByRequestNumber, {
    token: await newToken('employee'),
    query: { RequestNumber: number },
  });
  return body.requestId;
}

test('the same on a phone, by touch (ur-PK)', async ({ browser }) => {
  const t = textsOf('ur-PK');
  const name = `Zubair ${Date.now()}`;
  await send(name);
  await send(name);
  const { page, problems } = await openBrowser(browser, { ...phone, language: 'ur-PK' });
  await storeSession(page, 'employee');
  await page.goto(`/requests/new?q=${encodeURIComponent(name)}`);
  const cards = page.locator('li[data-row]');
  await expect(cards).toHaveCount(2);
  for (const card of await cards.all()) await card.getByRole('checkbox').check();
  await page
    .getByRole('region', { name: t('staff:bulk.bar') })
    .getByRole('button')
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button').last().click();
  await expect(dialog).toBeHidden();
  await page
    .getByRole('region', { name: t('staff:bulk.bar') })
    .getByRole('button')
    .first()
    .click();
  await dialog.locator('button', { hasText: '2' }).click();
  await expect(dialog.locator('[data-result=done]')).toHaveCount(2);
  await dialog
    .getByRole('button', { name: t('staff:bulk.close') })
    .last()
    .click();
  await expect(cards).toHaveCount(0);
  await page.goto(`/requests/processing?q=${encodeURIComponent(name)}`);
  await cards.first().getByRole('link').click();
  const desk = page.locator('section[aria-labelledby=staff-documents]');
  const open = desk.locator('li button').first();
  // An unreadable file says so, can be saved, and does not count as viewed.
  await page.route(
    '**/DownloadFile**',
    (route) => route.fulfill({ contentType: 'application/octet-stream', body: 'not a document' }),
    { times: 1 },
  );
  await open.click();
  await expect(desk.getByText(t('staff:viewer.broken'))).toBeVisible();
  await expect(desk.locator('[data-viewed=true]')).toHaveCount(0);
  const saving = page.waitForEvent('download');
  await desk.getByText(t('staff:viewer.save'), { exact: true }).click();
  expect((await saving).suggestedFilename()).toBe('identityDocument.pdf');
  await expectAccessible(page);
  await page.reload();
  await open.click();
  await paintedDocument(page);
  await expect(desk.locator('[data-viewed=true]')).toHaveCount(1);
  await expectAccessible(page);
  expect(problems).toEqual([]);
});
