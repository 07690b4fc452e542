import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { storeReturnUrl, storeSelectedService } from '#lib/api/session.ts';
import { setConfiguration } from '#lib/browser/configuration.ts';
import {
  answerCall,
  holdReply,
  noConnection,
  refuse,
  refuseFields,
} from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { serviceRecord } from '#testing/records.ts';
import {
  namesOf,
  renderPage,
  signInAs,
  tokenOf,
  useLanguageOfTest,
} from '#testing/render-page.tsx';
import {
  getService,
  getServiceIdByServiceName,
  getServiceNameByServiceId,
} from '@diwan/contract/catalogue/services';
import { checkUAEPassEnabled, login } from '@diwan/contract/people/users';

beforeEach(() => {
  answerHome();
  answerCall(checkUAEPassEnabled, { isEnabled: false });
});

const main = page.getByRole('main');
const username = main.getByLabelText('اسم المستخدم', { exact: true });
const password = main.getByLabelText('كلمة المرور', { exact: true });
const submit = main.getByRole('button', { name: 'تسجيل الدخول' });
const toasts = page.getByRole('region', { name: 'الرسائل' });

async function open() {
  const screen = await renderPage('/account/login');
  await expect.element(submit).toBeVisible();
  return screen;
}

async function fillIn() {
  await username.fill('mariam');
  await password.fill('Harbour-Gate-5521!');
}

it('names empty fields and sends nothing', async () => {
  const sent = answerCall(login, { token: '' });
  await open();
  await username.fill('  ');
  await submit.click();
  await expect.element(username).toHaveAccessibleDescription('أدخل اسم المستخدم');
  await expect.element(password).toHaveAccessibleDescription('أدخل كلمة المرور');
  await expect.element(username).toHaveFocus();
  await username.fill('mariam');
  await expect.element(username).toHaveAccessibleDescription('');
  await expect.poll(() => sent).toEqual([]);
});

it.each([
  ['Client', undefined, '/home/services/individuals'],
  ['Client', '/privacy-policy?from=here', '/privacy-policy?from=here'],
  ['Client', '//evil.example', '/home/services/individuals'],
  ['CompanyUser', '/terms-and-conditions', '/terms-and-conditions'],
] as const)('signs a %s in who came from %s', async (role, from, to) => {
  if (from) window.sessionStorage.setItem('returnUrl', from);
  const { reply, release } = holdReply<{ token: string }>();
  const sent = answerCall(login, () => reply);
  const { address } = await open();
  await fillIn();
  await userEvent.keyboard('{Enter}');
  await expect.element(main.getByRole('button', { name: /جارٍ تسجيل الدخول…/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  release({ token: tokenOf(role) });
  await expect.poll(address).toBe(to);
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ username: 'mariam', password: 'Harbour-Gate-5521!' }]);
});

// Specification §8.
it('shows a wrong password at its field and in a toast until it changes', async () => {
  answerCall(login, () => {
    throw refuse(400, 'WrongUsernameOrPassword', 'البيانات غير صحيحة');
  });
  await open();
  await fillIn();
  await submit.click();
  await expect.element(password).toHaveAccessibleDescription('البيانات غير صحيحة');
  await expect.element(password).toHaveFocus();
  await expect.element(toasts.getByText('البيانات غير صحيحة')).toBeVisible();
  await expect.poll(() => document.querySelectorAll('[data-highlighted]').length).toBe(1);
  await expect.element(username).toHaveValue('mariam');
  await password.fill('another');
  await expect.element(password).toHaveAccessibleDescription('');
});

const html = new Response('<!doctype html><h1>502 Bad Gateway</h1>', {
  status: 502,
  headers: { 'content-type': 'text/html' },
});

// One handler serves every call (specification §8); the sign-in represents all calls of buttons.
it.each([
  [
    'each message of a failed validation',
    () => refuseFields({ username: ['الأول', 'الثاني'], password: ['الثالث'] }),
    ['الأول', 'الثاني', 'الثالث'],
  ],
  ['a 404', () => refuse(404, 'NotFound', 'غير موجود هنا'), ['غير موجود هنا']],
  [
    'a 404 of a proxy',
    () => new Response('<h1>nginx</h1>', { status: 404 }),
    ['لم نجد ما تبحث عنه.'],
  ],
  [
    'a server error, with the number for support',
    () =>
      Response.json(
        { error: 'InternalServerError', message: 'فشل.', requestId: '0f9c1b7e-2d40-4a55' },
        { status: 500 },
      ),
    [/فشل\. الرقم المرجعي للدعم: \u20680f9c1b7e\u2069/],
  ],
  ['a 502 of a proxy', () => html.clone(), [/تعذر الاتصال بالخادم/]],
  ['a page instead of the reply', () => new Response('<h1>Wi-Fi</h1>'), [/تعذر الاتصال بالخادم/]],
  ['an empty reply', () => new Response(''), ['حدث خطأ لدينا. أعد المحاولة بعد قليل.']],
  [
    'how long a throttled user waits',
    () => refuse(429, 'TooManyRequests', 'مهلًا.', { 'retry-after': '600' }),
    ['مهلًا. أعد المحاولة بعد 10 دقائق.'],
  ],
  ['a missing connection', noConnection, [/تعذر الاتصال بالخادم/]],
])('shows %s and keeps the input', async (_, answer, messages) => {
  answerCall(login, () => {
    const reply = answer();
    if (reply instanceof Error) throw reply;
    return reply as never;
  });
  const { address } = await open();
  await fillIn();
  await submit.click();
  for (const message of messages) await expect.element(toasts.getByText(message)).toBeVisible();
  await expect.poll(address).toBe('/account/login');
  await expect.element(username).toHaveValue('mariam');
  await expect.element(password).toHaveValue('Harbour-Gate-5521!');
});

it('leads a forbidden user to the root', async () => {
  answerCall(login, () => {
    throw refuse(403, 'YouAreUnauthorized');
  });
  const { address } = await open();
  await fillIn();
  await submit.click();
  await expect.element(toasts.getByText('غير مصرح لك بذلك')).toBeVisible();
  await expect.poll(address).toBe('/home');
});

const code = main.getByRole('textbox');

async function openSecondStep() {
  answerCall(login, ({ body }) => {
    if (!(body as { code?: string }).code) throw refuse(400, 'SecondFactorRequired');
    throw refuse(400, 'SecondFactorWrong', 'الرمز غير صحيح');
  });
  const screen = await open();
  await fillIn();
  await submit.click();
  await expect.element(main.getByRole('heading', { name: 'الخطوة الثانية' })).toBeVisible();
  return screen;
}

it('asks for a code in a second step, without an error, and shows a wrong one', async () => {
  await openSecondStep();
  await expect.element(code).toHaveFocus();
  await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(toasts.getByRole('button').elements()).toEqual([]);
  await submit.click();
  await expect.element(code).toHaveAccessibleDescription(/أدخل الرمز/);
  await code.fill('000000');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toHaveAccessibleDescription(/الرمز غير صحيح/);
  const sent = answerCall(login, { token: tokenOf('Client') });
  await code.fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => window.sessionStorage.getItem('token')).not.toBeNull();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ username: 'mariam', password: 'Harbour-Gate-5521!', code: '123456' }]);
});

it('accepts a recovery code, and goes back with the input', async () => {
  await openSecondStep();
  await main.getByRole('button', { name: 'استخدام رمز استرداد' }).click();
  await expect.element(code).toHaveFocus();
  await expect.element(code).toHaveAccessibleName('رمز الاسترداد');
  await main.getByRole('button', { name: 'استخدام رمز التطبيق' }).click();
  await expect.element(code).toHaveAccessibleName('الرمز');
  await main.getByRole('button', { name: 'رجوع' }).click();
  await expect.element(username).toHaveValue('mariam');
});

it('goes back to the password when it was changed meanwhile', async () => {
  await openSecondStep();
  answerCall(login, () => {
    throw refuse(400, 'WrongUsernameOrPassword', 'البيانات غير صحيحة');
  });
  await code.fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.element(password).toHaveAccessibleDescription('البيانات غير صحيحة');
});

it('offers UAE PASS first where it is enabled, with the language of the page', async () => {
  await useLanguageOfTest('en-US');
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  await renderPage('/account/login');
  const link = main.getByRole('link', { name: /UAE PASS/ });
  await expect.element(link).toBeVisible();
  expect((link.element() as HTMLAnchorElement).href).toMatch(
    /\/api\/User\/BeginUAEPass\?ui_locales=en&/,
  );
  await expect.element(main.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

// Specification §4.
it.each([
  [
    'opens the selected service',
    () => ({ name: 'خدمة', replacedName: 'a b' }),
    '/requests/Create/a%20b',
  ],
  [
    'opens the services when the service does not exist any more',
    undefined,
    '/home/services/individuals',
  ],
])('%s after signing in', async (_, answer, to) => {
  answerCall(getService, serviceRecord());
  const asked = answerCall(getServiceNameByServiceId, () => {
    if (!answer) throw refuse(404, 'ServiceNotFound');
    return answer();
  });
  answerCall(login, { token: tokenOf('Client') });
  answerCall(getServiceIdByServiceName, () => {
    throw refuse(404, 'ServiceNotFound');
  });
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  window.sessionStorage.setItem('selectedServiceId', '7');
  const { address } = await open();
  await expect
    .element(main.getByText('سجّل الدخول للمتابعة إلى الخدمة التي اخترتها.'))
    .toBeVisible();
  await fillIn();
  await submit.click();
  await expect.poll(address).toBe(to);
  await expect.poll(() => asked.map(({ query }) => query.get('serviceId'))).toEqual(['7']);
  await expect.poll(() => window.sessionStorage.getItem('selectedServiceId')).toBeNull();
  await expect.poll(() => logged).toHaveBeenCalledTimes(answer ? 0 : 1);
});

it('names the chosen service with its cost, time and documents before the sign-in', async () => {
  const asked = answerCall(getService, serviceRecord());
  window.sessionStorage.setItem('selectedServiceId', '7');
  await open();
  await expect.element(main.getByText('تجديد ملكية مركبة')).toBeVisible();
  for (const fact of ['360.50', 'يوما عمل', 'مستند واحد'])
    await expect.element(main).toMatchTextContent(fact);
  expect(asked.map(({ query }) => query.get('serviceId'))).toEqual(['7']);
  // The service is still chosen: the sign-in leads to it.
  expect(window.sessionStorage.getItem('selectedServiceId')).toBe('7');
});

it('shows the sign-in where the chosen service cannot be loaded', async () => {
  answerCall(getService, noConnection);
  window.sessionStorage.setItem('selectedServiceId', '7');
  await open();
  await expect.element(main.getByRole('textbox').first()).toBeVisible();
  await expect.element(main.getByText('تجديد ملكية مركبة')).not.toBeInTheDocument();
  await expect.element(main.getByRole('alert')).not.toBeInTheDocument();
});

it('goes where the user went after selecting a service', async () => {
  storeSelectedService(7);
  storeReturnUrl('/terms-and-conditions');
  answerCall(login, { token: tokenOf('Client') });
  const { address } = await open();
  await fillIn();
  await submit.click();
  await expect.poll(address).toBe('/terms-and-conditions');
});

it('leads on a user who is signed in already', async () => {
  signInAs('Client');
  storeReturnUrl('/account/profile');
  const { address } = await renderPage('/account/login');
  await expect.poll(address).toBe('/home/services/individuals');
});

it('asks whether the computer is shared before both ways of signing in, and remembers it in the tab', async () => {
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  await open();
  const choice = main.getByRole('checkbox', { name: /هذا جهاز مشترك/ });
  await expect.element(choice).not.toBeChecked();
  const uaePass = main.getByRole('link', { name: /UAE PASS|الهوية الرقمية/ }).element();
  expect(choice.element().compareDocumentPosition(uaePass)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await choice.click();
  await expect.element(choice).toBeChecked();
  expect([
    sessionStorage.getItem('shared-computer'),
    localStorage.getItem('shared-computer'),
  ]).toEqual(['yes', null]);
  const sent = answerCall(login, () => {
    throw refuse(400, 'WrongUsernameOrPassword');
  });
  await fillIn();
  await submit.click();
  await expect.poll(() => sent.map(({ body }) => body)).toMatchObject([{ isSharedComputer: true }]);
  await choice.click();
  await expect.element(choice).not.toBeChecked();
  expect(sessionStorage.getItem('shared-computer')).toBeNull();
});

it.each([
  ['a phone', { phone: '800 1234' }, ['800 1234']],
  ['an email', { email: 'help@diwan.example' }, ['help@diwan.example']],
  ['neither phone nor email', {}, []],
])('sends people to support that has %s', async (_, support, contacts) => {
  setConfiguration({ support }, window.location);
  await open();
  const links = main.getByRole('link', { name: /800|@/ });
  expect(namesOf(links)).toEqual(contacts);
  expect(main.getByText(/الدعم/).elements()).toHaveLength(contacts.length);
  setConfiguration({}, window.location);
});
