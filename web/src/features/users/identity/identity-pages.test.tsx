import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { captureIdentityReturn } from '#lib/auth/identity-return.ts';
import { setSharedComputer } from '#lib/browser/storage.ts';
import { agencyRecords, categoryRecords } from '#testing/admin-records.ts';
import { answerCall, holdReply, noConnection, refuse } from '#testing/answer-calls.ts';
import { answerHome } from '#testing/answer-pages.ts';
import { renderPage, tokenOf, useLanguageOfTest } from '#testing/render-page.tsx';
import {
  getAllGovernmentAgenciesByAccountType,
  getAllGovernmentAgenciesWithServices,
} from '@diwan/contract/catalogue/agencies';
import {
  getAllServiceCategoryByAccountType,
  getAllServicesCategoriesWithServices,
} from '@diwan/contract/catalogue/categories';
import { declineUAEPassLink, linkUAEPass } from '@diwan/contract/people/accounts';
import { checkUAEPassEnabled, uaePassIntegration } from '@diwan/contract/people/users';

const main = page.getByRole('main');
const heading = page.getByRole('heading', { level: 1 });
const uaePass = main.getByRole('link', { name: 'تسجيل الدخول بالهوية الرقمية UAE PASS' });

beforeEach(() => {
  answerHome();
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  answerCall(getAllServicesCategoriesWithServices, categoryRecords);
  answerCall(getAllGovernmentAgenciesWithServices, agencyRecords);
  answerCall(getAllServiceCategoryByAccountType, categoryRecords);
  answerCall(getAllGovernmentAgenciesByAccountType, agencyRecords);
});

it('recommends UAE PASS before the services of an account type; skipping is remembered for that type', async () => {
  const { address, router } = await renderPage('/home/services/companies');
  await expect.element(heading).toHaveTextContent('سجّل دخولك بالهوية الرقمية UAE PASS');
  await expect.poll(address).toBe('/home/auth/2');
  await expect.element(main.getByText('اخترت: الشركات')).toBeVisible();
  await expect.element(uaePass).toBeVisible();
  await main.getByRole('link', { name: 'تخطي هذه الخطوة' }).click();
  await expect.element(heading).toHaveTextContent('خدمات الشركات');
  await expect.poll(address).toBe('/home/services/companies#all');
  await router.navigate('/home/services/investors');
  await expect.poll(address).toBe('/home/auth/3');
  await expect.element(main.getByText('اخترت: المستثمرون')).toBeVisible();
  await router.navigate('/home/services/companies');
  await expect.element(heading).toHaveTextContent('خدمات الشركات');
});

// Specification §2.
it('shows a loader until it is known whether UAE PASS is enabled', async () => {
  const { reply, release } = holdReply<{ isEnabled: boolean }>();
  const asked = answerCall(checkUAEPassEnabled, () => reply);
  const opened = renderPage('/home/services/companies');
  await expect.poll(() => asked.length).toBe(1);
  await expect.element(main.getByText('جارٍ التحميل…').first()).toBeInTheDocument();
  expect(heading.elements()).toEqual([]);
  release({ isEnabled: false });
  await opened;
  await expect.element(heading).toHaveTextContent('خدمات الشركات');
});

it('asks for the account type where the address has none', async () => {
  await renderPage('/home/auth/martians');
  await expect.element(heading).toHaveTextContent('لمن الخدمة؟');
  await expect
    .element(main.getByRole('link', { name: 'الأفراد' }))
    .toHaveAttribute('href', '/home/services/individuals#all');
});

it('shows the services immediately where UAE PASS is not enabled', async () => {
  answerCall(checkUAEPassEnabled, { isEnabled: false });
  const { address } = await renderPage('/home/services/individuals');
  await expect.element(page.getByRole('tab').first()).toBeVisible();
  await expect.poll(address).toBe('/home/services/individuals');
});

const checkFailed = 'تعذر التحقق من إتاحة الدخول بالهوية الرقمية UAE PASS';
const tryAgain = main.getByRole('button', { name: 'إعادة المحاولة' });

it.each([
  ['/home/services/individuals', '/home/auth/1', 'سجّل دخولك بالهوية الرقمية UAE PASS'],
  ['/home/auth/1', '/home/auth/1', 'سجّل دخولك بالهوية الرقمية UAE PASS'],
  ['/account/login', '/account/login', 'تسجيل الدخول'],
  ['/account/register', '/account/register', 'إنشاء حساب'],
])('%s: says that the check of UAE PASS failed, and tries again', async (path, to, title) => {
  const { reply, release } = holdReply<undefined>();
  const asked = answerCall(checkUAEPassEnabled, () => reply.then(noConnection));
  const opened = renderPage(path);
  await expect.poll(() => asked.length).toBe(1);
  expect(heading.elements()).toEqual([]);
  release(undefined);
  const { address } = await opened;
  await expect.element(heading).toHaveTextContent(checkFailed);
  await expect.poll(address).toBe(path);
  const alert = main.getByRole('alert');
  await expect.element(alert).toMatchTextContent('تعذر الاتصال بالخادم');
  answerCall(checkUAEPassEnabled, noConnection);
  const first = alert.element();
  await tryAgain.click();
  await expect.poll(() => first.isConnected).toBe(false);
  await expect.element(alert).toBeVisible();
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  await tryAgain.click();
  await expect.element(heading).toHaveTextContent(title);
  await expect.element(uaePass).toBeVisible();
  await expect.poll(address).toBe(to);
});

it.each([
  ['/home/services/companies', '/home/services/companies', 'خدمات الشركات'],
  ['/home/auth/2', '/home/services/companies', 'خدمات الشركات'],
  ['/account/login', '/account/login', 'تسجيل الدخول'],
  ['/account/register', '/account/register', 'إنشاء حساب'],
])('%s: continues without the check only when the user wants it', async (path, to, title) => {
  answerCall(checkUAEPassEnabled, noConnection);
  const { address, router } = await renderPage(path);
  await expect.element(heading).toHaveTextContent(checkFailed);
  await main.getByRole('button', { name: /^المتابعة/ }).click();
  await expect.element(heading).toHaveTextContent(title);
  await expect.poll(address).toBe(to);
  expect(uaePass.elements()).toEqual([]);
  // Only what the user skipped is skipped.
  answerCall(checkUAEPassEnabled, { isEnabled: true });
  await router.navigate('/home/services/investors');
  await expect.poll(address).toBe('/home/auth/3');
});

/** As UAE PASS redirects the browser. */
function returnFromUAEPass(search: string): void {
  const here = window.location.href;
  window.history.replaceState(null, '', `/home${search}`);
  captureIdentityReturn();
  window.history.replaceState(null, '', here);
}

it('signs a user in who returns from UAE PASS, with a message while it lasts', async () => {
  const { reply, release } = holdReply<{ token: string }>();
  const sent = answerCall(uaePassIntegration, () => reply);
  returnFromUAEPass('?code=a&state=b');
  const { address, router } = await renderPage('/home/identity');
  await expect.element(heading).toHaveTextContent('جارٍ تسجيل دخولك');
  release({ token: tokenOf('CompanyUser', { isUAEPass: true }) });
  await expect.poll(address).toBe('/home/services/companies');
  await expect.poll(() => window.sessionStorage.getItem('isUAEPass')).toBe('true');
  await expect
    .poll(() => sent.map(({ query }) => [query.get('code'), query.get('state')]))
    .toEqual([['a', 'b']]);
  await router.navigate('/home/identity');
  await expect.poll(address).toBe('/home');
});

it.each([
  [
    'a refused code',
    '?code=a&state=b',
    1,
    () => Promise.reject(refuse(400, 'IdentityNotConfirmed')),
    /لم نتمكن من تأكيد هويتك/,
  ],
  [
    'an identity that is not verified',
    '?code=a&state=b',
    1,
    () => Promise.reject(refuse(400, 'IdentityNotVerified')),
    /غير موثّق/,
  ],
  [
    'a suspended account',
    '?code=a&state=b',
    1,
    () => Promise.reject(refuse(400, 'AccountSuspended')),
    /هذا الحساب موقوف/,
  ],
  ['no connection', '?code=a&state=b', 1, noConnection, /تعذر الاتصال بالخادم/],
  ['a malformed token', '?code=a&state=b', 1, () => ({ token: 'x' }), /لم نتمكن من تأكيد هويتك/],
  ['a missing state', '?code=a', 0, () => ({ token: 'x' }), /لم نتمكن من تأكيد هويتك/],
  [
    'a code that is too long',
    `?code=${'x'.repeat(3000)}&state=b`,
    0,
    () => ({ token: 'x' }),
    /لم نتمكن من تأكيد هويتك/,
  ],
] as const)('explains %s and offers to try again', async (_, search, calls, answer, message) => {
  const sent = answerCall(uaePassIntegration, answer);
  returnFromUAEPass(search);
  await renderPage('/home/identity');
  await expect.element(heading).toHaveTextContent('لم يتم تسجيل الدخول');
  await expect.element(main.getByText(message)).toBeVisible();
  await expect.element(uaePass).toBeVisible();
  await expect.poll(() => sent).toHaveLength(calls);
  await expect.poll(() => window.sessionStorage.getItem('token')).toBeNull();
});

async function openLinkPage() {
  answerCall(uaePassIntegration, () => {
    throw refuse(400, 'LinkConfirmationRequired');
  });
  returnFromUAEPass('?code=a&state=b');
  const screen = await renderPage('/home/identity');
  await expect.element(heading).toHaveTextContent('قد يكون لديك حساب هنا بالفعل');
  await expect.poll(screen.address).toBe('/account/link');
  return screen;
}

it('links UAE PASS to an account: missing values, a wrong password, a code, then signed in', async () => {
  setSharedComputer(true);
  const { address } = await openLinkPage();
  const username = main.getByLabelText('اسم المستخدم', { exact: true });
  const password = main.getByLabelText('كلمة المرور', { exact: true });
  const submit = main.getByRole('button', { name: 'ربط الحساب والدخول' });
  await submit.click();
  await expect.element(username).toBeInvalid();
  await expect.element(password).toBeInvalid();
  const refusals = [
    refuse(400, 'WrongUsernameOrPassword', 'البيانات غير صحيحة'),
    refuse(400, 'SecondFactorRequired', 'أدخل الرمز'),
  ];
  const sent = answerCall(linkUAEPass, () => {
    const refusal = refusals[sent.length - 1];
    if (refusal) throw refusal;
    return { token: tokenOf('CompanyUser') };
  });
  await username.fill('mariam');
  await password.fill('wrong');
  await submit.click();
  await expect.element(password).toHaveAccessibleDescription('البيانات غير صحيحة');
  await password.fill('right');
  await submit.click();
  const code = main.getByLabelText('الرمز من تطبيق المصادقة');
  await expect.element(code).toHaveAccessibleDescription('أدخل الرمز');
  await code.fill('123456');
  await submit.click();
  await expect.element(page.getByText('رُبطت هويتك الرقمية UAE PASS بحسابك.')).toBeVisible();
  await expect.poll(address).toBe('/home/services/companies');
  await expect
    .poll(() => sent.at(-1)?.body)
    .toEqual({ username: 'mariam', password: 'right', code: '123456', isSharedComputer: true });
});

it('says when the time to link is over', async () => {
  answerCall(linkUAEPass, () => {
    throw refuse(400, 'IdentityNotConfirmed');
  });
  await openLinkPage();
  await main.getByLabelText('اسم المستخدم', { exact: true }).fill('mariam');
  await main.getByLabelText('كلمة المرور', { exact: true }).fill('right');
  await main.getByRole('button', { name: 'ربط الحساب والدخول' }).click();
  await expect.element(main.getByRole('alert').getByText(/انتهى الوقت/)).toBeVisible();
  await expect.element(uaePass).toBeVisible();
});

it('continues with a new account instead', async () => {
  answerCall(declineUAEPassLink, { token: tokenOf('CompanyUser', { isUAEPass: true }) });
  const { address } = await openLinkPage();
  await main.getByRole('button', { name: 'المتابعة بحساب جديد' }).click();
  await expect.element(page.getByText('أُنشئ لك حساب جديد وتم تسجيل دخولك.')).toBeVisible();
  await expect.poll(address).toBe('/home/services/companies');
});

it('explains an identity that is not verified in Urdu', async () => {
  await useLanguageOfTest('ur-PK');
  answerCall(uaePassIntegration, () => {
    throw refuse(400, 'IdentityNotVerified');
  });
  returnFromUAEPass('?code=a&state=b');
  await renderPage('/home/identity');
  await expect.element(main.getByRole('link', { name: /UAE PASS/ })).toBeVisible();
  await expect.element(main.getByText(/UAE PASS .*تصدیق/)).toBeVisible();
  expect(getComputedStyle(main.element()).direction).toBe('rtl');
});
