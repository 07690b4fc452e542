import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { endActing } from '@diwan/contract/people/acting';
import { languages } from '@diwan/contract/wire/languages';
import { actAs, currentSession } from '../lib/api/session.ts';
import { setConfiguration } from '../lib/browser/configuration.ts';
import { startTheme } from '../lib/browser/theme.ts';
import { showToast } from '../lib/browser/toasts.ts';
import { answerCall, refuse } from '../testing/answer-calls.ts';
import { renderPage, signInAs, tokenOf, useLanguageOfTest } from '../testing/render-page.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const toasts = page.getByRole('region', { name: 'الرسائل' });

function goOffline(): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
}

function goOnline(): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
}

it('says when the connection is lost and when it is back', async () => {
  await renderPage('/not-found');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  goOffline();
  const alert = page.getByText('لا يوجد اتصال بالإنترنت. ما كتبته محفوظ في هذا الجهاز.');
  await expect.element(alert).toBeVisible();
  goOnline();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(toasts.getByText('عاد الاتصال بالإنترنت.')).toBeVisible();
});

it('skips to the content by the keyboard', async () => {
  await renderPage('/not-found');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('link', { name: 'الانتقال إلى المحتوى' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

/** What an administrator has saved about the portal. */
function useDetails(): void {
  const linkTo = (name: string) => ({ name, url: `https://diwan.example/${name.toLowerCase()}` });
  const card = (name: string) => ({ name, logo: `/logos/cards/${name.toLowerCase()}.svg` });
  const details = {
    support: { phone: '+971 4 000 0000', email: 'info@diwan.example' },
    social: ['X', 'Instagram', 'LinkedIn', 'YouTube'].map(linkTo),
    cards: ['Visa', 'Mastercard'].map(card),
  };
  setConfiguration(details as never, window.location);
}

// Specification §1, §2.
it.each(['Client', 'Employee'] as const)(
  'shows a signed-in %s the whole footer in two lines',
  async (role) => {
    useDetails();
    for (const language of ['en-US', 'ur-PK', 'ar-EG'] as const) {
      await useLanguageOfTest(language);
      signInAs(role);
      const { unmount } = await renderPage('/not-found');
      const footer = page.getByRole('contentinfo');
      await expect.element(footer.getByText('2.1.3')).toBeVisible();
      await expect.element(footer.getByText(RegExp(`${new Date().getFullYear()}`))).toBeVisible();
      const shown = footer
        .getByRole('link')
        .elements()
        .map((link) => link.getAttribute('href'));
      expect(shown).toEqual([
        '/terms-and-conditions',
        '/privacy-policy',
        '/service-provider-term-and-conditions',
        '/terms-and-conditions-data-sharing',
        '/sitemap.xml',
        '/accessibility',
        'tel:+97140000000',
        'mailto:info@diwan.example',
        ...['x', 'instagram', 'linkedin', 'youtube'].map((name) => `https://diwan.example/${name}`),
      ]);
      const cards = footer.getByRole('img').elements() as HTMLImageElement[];
      expect(cards.map(({ alt }) => alt)).toEqual(['Visa', 'Mastercard']);
      expect(footer.element().getBoundingClientRect().height).toBeLessThan(
        language === 'ur-PK' ? 130 : 90,
      );
      await unmount();
    }
  },
);

it('keeps the colours that a person chooses, and follows the device again', async () => {
  await useLanguageOfTest('en-US');
  await renderPage('/not-found');
  const ground = () => getComputedStyle(document.documentElement).backgroundColor;
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await expect.poll(ground).toBe('rgb(255, 255, 255)');
  await choose('Dark');
  await expect.element(page.getByRole('button', { name: 'Dark', pressed: true })).toBeVisible();
  await expect.poll(ground).toBe('rgb(21, 23, 27)');
  expect(getComputedStyle(document.documentElement).colorScheme).toBe('dark');
  expect(document.cookie).toContain('theme=dark');
  startTheme();
  expect(document.documentElement.dataset.theme).toBe('dark');
  await choose('Same as device');
  await expect.poll(ground).toBe('rgb(255, 255, 255)');
  await expect.poll(() => document.cookie).not.toContain('theme=');
});

// Specification §9.
it('shows a toast for three seconds, and longer while the pointer is on it', async () => {
  await renderPage('/not-found');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  showToast('حُفظت البيانات', 'success');
  await expect.element(toasts.getByText('حُفظت البيانات')).toBeVisible();
  await toasts.getByText('حُفظت البيانات').hover();
  vi.advanceTimersByTime(10_000);
  expect(toasts.getByText('حُفظت البيانات').elements()).toHaveLength(1);
  await page.getByRole('heading', { level: 1 }).hover();
  vi.advanceTimersByTime(2900);
  expect(toasts.getByText('حُفظت البيانات').elements()).toHaveLength(1);
  vi.advanceTimersByTime(200);
  await expect.element(toasts.getByText('حُفظت البيانات')).not.toBeInTheDocument();
});

it('interrupts a screen reader for errors only, and shows the same text once', async () => {
  await renderPage('/not-found');
  showToast('تعذر الحفظ', 'danger');
  showToast('تعذر الحفظ', 'danger');
  showToast('حُفظت البيانات', 'success');
  await expect.element(toasts.getByRole('alert').getByText('تعذر الحفظ')).toBeVisible();
  await expect.element(toasts.getByRole('status').getByText('حُفظت البيانات')).toBeVisible();
  expect(toasts.getByRole('button', { name: 'إغلاق' }).elements()).toHaveLength(2);
});

// Specification §9.
it.each(languages)('shows toasts at the bottom right in %s', async (language) => {
  await useLanguageOfTest(language);
  await renderPage('/not-found');
  showToast('Saved', 'success');
  const place = () => {
    const box = page.getByText('Saved').element().closest('[data-surface]');
    const { left, right, bottom, width } = box?.getBoundingClientRect() ?? new DOMRect();
    return { left, right: window.innerWidth - right, bottom: window.innerHeight - bottom, width };
  };
  await expect.element(page.getByText('Saved')).toBeVisible();
  // The toast rises by a few pixels.
  await expect.poll(() => Math.round(place().bottom)).toBe(16);
  expect([place().right, place().width]).toEqual([16, 384]);
  await page.viewport(390, 844);
  expect([place().left, place().right]).toEqual([16, 16]);
});

it('keeps one message for the same text, and shows it for three seconds more', async () => {
  await renderPage('/not-found');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  showToast('تعذر التحميل', 'danger');
  await expect.element(toasts.getByText('تعذر التحميل')).toBeVisible();
  const first = toasts.getByText('تعذر التحميل').element();
  vi.advanceTimersByTime(2000);
  showToast('تعذر التحميل', 'danger');
  await new Promise(requestAnimationFrame);
  vi.advanceTimersByTime(2000);
  await new Promise(requestAnimationFrame);
  expect(toasts.getByText('تعذر التحميل').element()).toBe(first);
  vi.useRealTimers();
  await page.getByRole('banner').getByRole('button', { name: 'فتح القائمة' }).click();
  await page.getByRole('button', { name: 'أحدث الرسائل' }).click();
  const dialog = page.getByRole('dialog', { name: 'أحدث الرسائل' });
  await expect.poll(() => dialog.getByText('تعذر التحميل').elements().length).toBe(1);
});

it('ends a message about the page with the page, and keeps others and the history', async () => {
  const { address, router } = await renderPage('/terms-and-conditions');
  showToast('كلمة المرور غير صحيحة', 'danger', { isOfPage: true });
  showToast('حُفظت البيانات', 'success');
  await expect.element(toasts.getByText('كلمة المرور غير صحيحة')).toBeVisible();
  void router.navigate('/privacy-policy');
  await expect.poll(address).toBe('/privacy-policy');
  await expect.element(toasts.getByText('كلمة المرور غير صحيحة')).not.toBeInTheDocument();
  await expect.element(toasts.getByText('حُفظت البيانات')).toBeVisible();
});

it('lists earlier messages, and F6 goes to a message and back', async () => {
  await renderPage('/not-found');
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  showToast('حُفظت البيانات', 'success');
  const menu = page.getByRole('banner').getByRole('button', { name: 'فتح القائمة' });
  await expect.element(menu).toBeVisible();
  (menu.element() as HTMLElement).focus();
  const close = toasts.getByRole('button', { name: 'إغلاق' });
  // The shortcut is loaded with the first message.
  await expect
    .poll(async () => {
      await userEvent.keyboard('{F6}');
      return document.activeElement?.closest('[data-toasts]') !== null;
    })
    .toBe(true);
  await expect.element(close).toHaveFocus();
  // A message stays while it has the focus.
  vi.advanceTimersByTime(10_000);
  await expect.element(close).toHaveFocus();
  vi.useRealTimers();
  await userEvent.keyboard('{Enter}');
  await expect.element(close).not.toBeInTheDocument();
  await expect.element(menu).toHaveFocus();
  await menu.click();
  await page.getByRole('button', { name: 'أحدث الرسائل' }).click();
  const dialog = page.getByRole('dialog', { name: 'أحدث الرسائل' });
  await expect.element(dialog.getByText('حُفظت البيانات')).toBeVisible();
});

it('shows the cards that configuration.json names instead of the drawings', async () => {
  const file = (await (await fetch('/configuration.json')).json()) as object;
  const cards = [{ name: 'Jaywan', logo: '/logos/cards/visa.svg?licensed' }];
  setConfiguration({ ...file, cards } as never, window.location);
  await renderPage('/not-found');
  const list = page.getByRole('list', { name: 'البطاقات المقبولة' });
  await expect.element(list.getByRole('img')).toHaveAttribute('alt', 'Jaywan');
  expect(list.getByRole('img').element().getAttribute('src')).toBe(cards[0]?.logo);
});

it('shows the banner of the portal on a phone, without the phone number', async () => {
  await page.viewport(390, 844);
  const banner = { 'ar-EG': 'الصيانة يوم الجمعة', 'en-US': 'b', 'ur-PK': 'c' };
  setConfiguration({ banner, supportPhone: '+971 4 000 0000' } as never, window.location);
  await renderPage('/not-found');
  setConfiguration({}, window.location);
  const header = page.getByRole('banner');
  await expect.element(header.getByText('الصيانة يوم الجمعة')).toBeVisible();
  expect(header.getByRole('link', { name: /\+971/ }).elements()).toEqual([]);
});

it('shows version, contacts, cards and links in the footer', async () => {
  useDetails();
  await renderPage('/not-found');
  const footer = page.getByRole('contentinfo');
  for (const text of ['2.1.3', String(new Date().getFullYear())])
    await expect.element(footer.getByText(new RegExp(text.replaceAll('.', '\\.')))).toBeVisible();
  const cards = footer.getByRole('list', { name: 'البطاقات المقبولة' }).getByRole('img');
  await expect
    .poll(() =>
      (cards.elements() as HTMLImageElement[]).map(({ alt, naturalWidth }) => [alt, naturalWidth]),
    )
    .toEqual([
      ['Visa', 64],
      ['Mastercard', 64],
    ]);
  const addresses = footer
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'));
  expect(addresses).toEqual([
    '/terms-and-conditions',
    '/privacy-policy',
    '/service-provider-term-and-conditions',
    '/terms-and-conditions-data-sharing',
    '/sitemap.xml',
    '/accessibility',
    'tel:+97140000000',
    'mailto:info@diwan.example',
    ...['x', 'instagram', 'linkedin', 'youtube'].map((name) => `https://diwan.example/${name}`),
  ]);
});

const acting = {
  fullName: 'سارة سالم',
  act: { sub: 'clerk', name: 'Mariam' },
  actUntil: Math.floor(Date.now() / 1000) + 500,
};

async function openPageWhileActing(actUntil = acting.actUntil) {
  signInAs('Employee');
  actAs(tokenOf('Client', { ...acting, actUntil }));
  return renderPage('/terms-and-conditions');
}

it('names the person for whom an employee acts and hides the account of that person', async () => {
  await openPageWhileActing();
  const bar = page.getByRole('region', { name: 'العمل نيابةً عن شخص آخر' });
  await expect.element(bar.getByText(/سارة سالم/)).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: /حسابي/ }).click();
  await expect.poll(() => page.getByRole('menuitem').elements().length).toBe(1);
  await expect.element(page.getByRole('menuitem')).toHaveTextContent('تسجيل الخروج');
});

it.each([
  ['and the server knows', { ended: true }],
  ['although the server fails', refuse(500, 'InternalServerError')],
])('ends acting by the button, %s', async (_, reply) => {
  answerCall(endActing, () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const { address } = await openPageWhileActing();
  const bar = page.getByRole('region', { name: 'العمل نيابةً عن شخص آخر' });
  await bar.getByRole('button', { name: 'إنهاء' }).click();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(toasts.getByText(/لم تعد تعمل نيابةً عن/)).toBeVisible();
  await expect.poll(address).toBe('/requests/counter');
  expect(currentSession()).toMatchObject({ roles: ['Employee'], fullName: 'Salem Al Ketbi' });
});

it('continues acting where the clock of the device is 40 minutes ahead', async () => {
  const server = Math.floor(Date.now() / 1000) - 2400;
  signInAs('Employee');
  const times = { iat: server, exp: server + 600, actUntil: server + 500 };
  actAs(tokenOf('Client', { ...acting, ...times }));
  await renderPage('/terms-and-conditions');
  const bar = page.getByRole('region', { name: 'العمل نيابةً عن شخص آخر' });
  await expect.element(bar.getByText(/سارة سالم/)).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(bar).toBeVisible();
  await expect.element(toasts.getByText(/انتهت مدة العمل نيابةً عن/)).not.toBeInTheDocument();
});

it('ends acting when its time is over', async () => {
  const { address } = await openPageWhileActing(Math.floor(Date.now() / 1000) + 1);
  await expect.element(toasts.getByText(/انتهت مدة العمل نيابةً عن/)).toBeVisible();
  await expect.poll(address).toBe('/requests/counter');
});
