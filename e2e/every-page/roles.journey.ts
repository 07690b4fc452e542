import type { Page } from '@playwright/test';
import { allCalls } from '@diwan/contract/all-calls';
import { pageList, type Page as PortalPage, type PageName } from '@diwan/contract/portal/page-list';
import { getAllRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import { giveReasonForReading } from '@diwan/contract/staff/access-log';
import { getAllUsers } from '@diwan/contract/staff/user-administration';
import type { Call, Role } from '@diwan/contract/wire/call';
import { call, findService, newToken } from '../api.ts';
import { expect, isEveryPage, test } from '../journey.ts';
import { openBrowser, waitUntilIdle } from '../steps.ts';

const people: Record<Role, string> = {
  Client: 'individual',
  CompanyUser: 'company',
  ServiceProvider: 'supervisor',
  Employee: 'employee',
  Finance: 'finance',
  Content: 'content',
  Auditor: 'auditor',
  AgencyAdmin: 'agency-rta',
  Admin: 'admin',
};

/** Pages that say that something is wrong, because nothing leads to them here. */
const saysWhatIsWrong: readonly PageName[] = [
  'acceptedRequest',
  'identityReturn',
  'joinCompany',
  'linkAccount',
  'notFound',
  'paymentStatus',
  'serverError',
  'setup',
  'staffInvitation',
];

/** Pages that show one component: a button of the same name is the same. */
const staffLists: readonly PageName[] = ['newRequests', 'processingRequests', 'allRequests'];

/** Records for the pages about one. */
interface Records {
  userId: string;
  /** Of an agency that `agency-rta` administers. */
  serviceId: string;
  serviceName: string;
}

async function findRecords(role: Role): Promise<Records> {
  const token = await newToken('admin');
  const { body } = await call(getAllUsers, {
    token,
    query: { SearchKeyword: role === 'AgencyAdmin' ? 'employee-rta' : 'employee2' },
  });
  const { id, replacedName } = await findService('renew-vehicle-ownership');
  return { userId: body.items[0]?.id ?? '', serviceId: String(id), serviceName: replacedName };
}

const addressOf = ({ address }: PortalPage, { userId, serviceId, serviceName }: Records): string =>
  address
    .replace(':userId', userId)
    .replace(':serviceName', serviceName)
    .replace(':serviceId', serviceId)
    .replace(/:accountType|:\w+Id/, '1');

/** The number of a request that the person may open; undefined where they see none. */
async function findOwnRequest(token: string): Promise<string | undefined> {
  const query = { StatusId: 3, Take: 1 };
  const { status, body } = await call(getAllRequestsByStatusId, { token, query });
  const [found] = status === 200 ? body.items : [];
  if (!found) return undefined;
  const { requestId, requestNumber } = found;
  const opened = await call(getRequestById, { token, query: { RequestId: requestId } });
  // Staff whose work it is not say why they open it.
  if (opened.status === 400)
    await call(giveReasonForReading, { token, body: { requestId, reason: 'quality' } });
  return requestNumber;
}

// The exact path of a call, then those with a parameter, the longest first.
const patterns = allCalls
  .map((each: Call) => ({
    call: each,
    path: new RegExp(
      `^${each.path.replace(/[.*+?^$()[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
    rank: each.path.includes('{') ? each.path.length : 1000,
  }))
  .toSorted((one, other) => other.rank - one.rank);
const findCall = (method: string, path: string) =>
  patterns.find((each) => each.call.method === method && each.path.test(path))?.call;

const mayMake = (role: Role, { who }: Call) => who === 'anyone' || who.includes(role);

interface Prepared {
  token: string;
  /** Buttons are pressed: what would change something is not sent. */
  isPressing: boolean;
  /** The calls since they were last taken, such as `GET /api/User/GetProfile`. */
  calls: string[];
  pending: number;
}
declare global {
  interface Window {
    prepared: Prepared;
  }
}

/** Runs in each document of a window. The session survives the pages that end it. */
function prepareWindow(token: string): void {
  const prepared: Prepared = { token, isPressing: false, calls: [], pending: 0 };
  Object.assign(window, { prepared, print: () => undefined });
  sessionStorage.setItem('token', token);
  const notSent = { error: 'RecordHasChanged', message: 'not sent' };
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    const path = decodeURIComponent(new URL(url).pathname);
    if (path.startsWith('/api/')) prepared.calls.push(`${method} ${path}`);
    if (path === '/api/User/Logout' || (prepared.isPressing && method !== 'GET'))
      return Response.json(notSent, { status: 400 });
    prepared.pending += 1;
    return send(input, init).finally(() => (prepared.pending -= 1));
  };
}

/** Opens an address in the same document, as a link does, with the session of the beginning. */
async function follow(page: Page, address: string): Promise<void> {
  await leaveFor(page, address);
  // One component may draw the title of both pages, in the same element.
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const title = document.querySelector<HTMLElement>('main h1');
          return (
            title?.checkVisibility() === true &&
            // A redirect may lead back to the page that was left.
            (title.textContent !== title.dataset.left ||
              title.dataset.leftPath === location.pathname)
          );
        }),
      { message: address, intervals: [50] },
    )
    .toBe(true);
  await waitUntilIdle(page);
}

async function leaveFor(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    sessionStorage.setItem('token', window.prepared.token);
    Object.assign(window.prepared, { isPressing: false, calls: [] });
    if (location.pathname !== new URL(to, location.href).pathname) {
      const title = document.querySelector('main h1');
      title?.setAttribute('data-left', title.textContent);
      title?.setAttribute('data-left-path', location.pathname);
    }
    history.pushState({ key: `${Math.random()}`, idx: 1 }, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
}

/**
 * Runs in a page: presses the next enabled button that was not pressed, of an open dialog or menu
 * before those of the page, and tabs last. Returns its name; undefined when there is none.
 */
function pressNext(pressed: readonly string[]): string | undefined {
  window.prepared.isPressing = true;
  const layer = [...document.querySelectorAll('dialog[open], [role$=dialog], [role=menu]')].at(-1);
  const title = layer ? (layer.querySelector('h2')?.textContent ?? 'menu') : '';
  // Rows of a table have the same buttons, some with a number.
  const keyOf = (button: Element) =>
    `${title} > ${(button.textContent.trim() || button.getAttribute('aria-label')) ?? ''}`.replaceAll(
      /[\d:.,-]+/g,
      '#',
    );
  const scope = layer ?? document.querySelector('main') ?? document.body;
  const buttons = [...scope.querySelectorAll<HTMLElement>('button, [role=menuitem]')].filter(
    (button) =>
      button.checkVisibility() &&
      !button.matches(':disabled, [aria-disabled=true]') &&
      !pressed.includes(keyOf(button)),
  );
  // What sends comes before what closes, and the buttons of a tab before the next tab.
  const firstOf = (selector: string) => buttons.find((button) => button.matches(selector));
  const next = firstOf('[type=submit]') ?? firstOf(':not([role=tab])') ?? buttons[0];
  if (!next && !layer) return undefined;
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
  const key = next ? keyOf(next) : '';
  if (next) next.click();
  else document.activeElement?.dispatchEvent(escape);
  return key || `${title} > (closed)`;
}

/** Runs in a page: takes the calls of a press when they are answered. */
async function takeCalls(): Promise<string[]> {
  const { prepared } = window;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let frames = 0; frames < 3 || (prepared.pending > 0 && frames < 300); frames += 1)
    await frame();
  return prepared.calls.splice(0);
}

/**
 * Presses each button of a page once that is not among `pressed`, and what dialogs and menus offer;
 * adds them to `pressed`. Returns the calls.
 */
async function pressButtons(page: Page, address: string, pressed: string[]): Promise<string[]> {
  const calls: string[] = [];
  const { pathname } = new URL(page.url());
  const most = pressed.length + 60;
  let current = address;
  for (let closed = 0; pressed.length < most && closed < 8;) {
    const press = () => page.evaluate(pressNext, pressed).catch(() => 'a full load');
    let key = await press();
    if (key === undefined) {
      // The code of a dialog may be under way.
      await waitUntilIdle(page);
      key = await press();
    }
    if (key === undefined) break;
    pressed.push(key);
    if (key.endsWith('(closed)')) closed += 1;
    calls.push(...(await page.evaluate(takeCalls).catch(() => [])));
    if (new URL(page.url()).pathname === pathname) current = page.url();
    else await follow(page, current);
  }
  return calls;
}

const roles = Object.keys(people) as Role[];

// web/src/guarded-routes.test.ts tries the guard of every page without a browser.
for (const role of roles)
  test(`${people[role]} opens every page, and no control is for another role`, async ({
    browser,
  }) => {
    test.setTimeout(300_000);
    const records = await findRecords(role);
    const token = await newToken(people[role]);
    const { page, problems } = await openBrowser(browser, {
      language: 'en-US',
      width: 1280,
      height: 900,
    });
    await page.addInitScript(prepareWindow, token);
    const refused: string[] = [];
    let mayBeMissing = false;
    page.on('response', (response) => {
      const status = response.status();
      if (status === 403 || status >= 500 || (status >= 400 && !mayBeMissing))
        refused.push(`${new URL(page.url()).pathname}: ${status} ${response.url()}`);
    });
    await page.goto('/accessibility');

    // The pages for anybody are the same for all, and so is the way back from the pages for others:
    // npm test shares them among the roles.
    const isShared = (index: number, among: readonly Role[]) =>
      isEveryPage() || among[index % among.length] === role;
    const forAnyone = pageList.filter(
      ({ who }, index) => who === 'anyone' && isShared(index, roles),
    );
    const own = pageList.filter(({ who }) => who !== 'anyone' && who.includes(role));
    const others = pageList.filter(
      ({ who }, index) =>
        who !== 'anyone' &&
        !who.includes(role) &&
        isShared(
          index,
          roles.filter((each) => !who.includes(each)),
        ),
    );
    expect(own.length).toBeGreaterThan(5);
    const request = await findOwnRequest(token);
    // Administrators may make almost every call.
    const isPressed = role !== 'Admin' || isEveryPage();
    const pressedInLists: string[] = [];

    for (const each of [...own, ...forAnyone]) {
      const plain = addressOf(each, records);
      const address =
        each.name === 'requestDetails' && request ? `${plain}?request-number=${request}` : plain;
      await test.step(address, async () => {
        mayBeMissing = saysWhatIsWrong.includes(each.name);
        await follow(page, address);
        if (!mayBeMissing)
          expect.soft(await page.locator('main [role=alert]').allInnerTexts(), address).toEqual([]);
        if (each.who === 'anyone' || each.redirectTo) return;
        const isOpen = new URL(page.url()).pathname === address.replace(/\?.*/, '');
        if (each.name !== 'myRequests') expect.soft(isOpen, page.url()).toBe(true);
        // Staff are led to their list, which is a page of its own.
        if (!isPressed || !isOpen) return;
        mayBeMissing = true;
        const pressed = staffLists.includes(each.name) ? pressedInLists : [];
        const wrong = (await pressButtons(page, address, pressed)).filter((sent) => {
          const [method = '', path = ''] = sent.split(' ');
          const made = findCall(method, path);
          return made && !mayMake(role, made);
        });
        expect.soft(wrong, `buttons of ${address} for ${role}`).toEqual([]);
      });
    }
    mayBeMissing = true;
    for (const each of others)
      await test.step(`refused: ${each.path}`, async () => {
        await leaveFor(page, addressOf(each, records));
        await expect.soft(page, each.path).toHaveURL(/\/home$/);
        await waitUntilIdle(page);
      });
    expect(refused).toEqual([]);
    expect(problems).toEqual([]);
  });
