import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { countInteractions } from '#lib/browser/interaction.ts';
import { prefersMotion } from '#lib/browser/media.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { renderComponent } from '#testing/render-page.tsx';
import { Toasts } from '#ui/feedback/toasts.tsx';
import { HomeVideos } from './home-videos.tsx';

const intro = page.getByRole('dialog');
const background = () => document.querySelector('video[loop]');
const visited = () => window.sessionStorage.getItem('homeVisited');

const { matchMedia } = window;
const preferReducedMotion = (isReduced: boolean) =>
  vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) =>
      query.includes('reduced-motion')
        ? ({ matches: isReduced } as MediaQueryList)
        : matchMedia.call(window, query),
    );

beforeEach(() => void preferReducedMotion(false));
afterEach(() => vi.restoreAllMocks());

/** The home page with the intro, whose video is found when `release` is called. */
async function open() {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const answer = window.fetch;
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    await released;
    return answer(...call);
  });
  const videos: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes)
      for (const [what, nodes] of [
        ['added', addedNodes],
        ['removed', removedNodes],
      ] as const)
        if ([...nodes].some((node) => node instanceof HTMLDialogElement)) videos.push(what);
  });
  observer.observe(document.body, { childList: true });
  const screen = await renderComponent(
    <>
      <div>
        <main id="main">
          <h1>ما الخدمة التي تحتاجها؟</h1>
          <div className="h-[200vh]" />
        </main>
        <HomeVideos interactions={countInteractions()} moves={prefersMotion()} />
      </div>
      <Toasts />
    </>,
  );
  return { ...screen, release, videos };
}

/** The intro was ready and left immediately, and may come at the next visit (specification §2). */
async function expectNotShown({ release, videos }: Awaited<ReturnType<typeof open>>) {
  release();
  await expect.poll(() => videos, { timeout: 5000 }).toEqual(['added', 'removed']);
  expect(visited()).toBeNull();
}

it('is shown below the toast that says why the visitor is here, and closes by Escape', async () => {
  const { release } = await open();
  showToast('غير مصرح لك بذلك', 'danger');
  release();
  await expect.element(intro).toBeVisible();
  expect(visited()).toBe('yes');
  const toast = document.querySelector('[data-toasts] [data-surface]') as HTMLElement;
  const { x, y, width, height } = toast.getBoundingClientRect();
  for (const across of [0.1, 0.5, 0.9])
    expect(toast.contains(document.elementFromPoint(x + width * across, y + height / 2))).toBe(
      true,
    );
  await expect.element(intro.getByRole('button')).toHaveFocus();
  expect(document.getElementById('main')?.parentElement?.inert).toBe(true);
  expect(background()).toBeNull();
  await userEvent.keyboard('{Escape}');
  await expect.element(intro).not.toBeInTheDocument();
  expect(document.getElementById('main')?.parentElement?.inert).toBe(false);
  await expect.poll(background).not.toBeNull();
});

it('is not shown when its video is late, but at the next visit; then not again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = await open();
  vi.advanceTimersByTime(3000);
  vi.useRealTimers();
  late.release();
  await expect.poll(background).not.toBeNull();
  expect([late.videos, visited()]).toEqual([[], null]);
  await late.unmount();
  const next = await open();
  next.release();
  await expect.element(intro).toBeVisible();
  await intro.getByRole('button').click();
  await expect.element(intro).not.toBeInTheDocument();
  await next.unmount();
  const third = await open();
  third.release();
  expect(third.videos).toEqual([]);
});

it.each([
  ['a tap', () => page.getByRole('heading').click()],
  ['a scroll', () => Promise.resolve(window.scrollTo(0, 100))],
])('is not shown after %s, but at the next visit', async (_, act) => {
  const first = await open();
  await act();
  await expectNotShown(first);
  await first.unmount();
  window.scrollTo(0, 0);
  const next = await open();
  next.release();
  await expect.element(intro).toBeVisible();
});

// Specification §2: nobody has to touch the page first.
it.each([
  ['begins automatically', null, false, true],
  ['is a picture where it was paused before', 'paused', false, false],
  ['is a picture with reduced motion', null, true, false],
  ['is a picture with reduced motion where it was played before', 'playing', true, false],
])('the background %s, with a button', async (_, stored, isReduced, plays) => {
  window.sessionStorage.setItem('homeVisited', 'yes');
  if (stored) window.localStorage.setItem('backgroundVideo', stored);
  preferReducedMotion(isReduced);
  const { release } = await open();
  release();
  await expect.poll(background).not.toBeNull();
  const video = background() as HTMLVideoElement;
  await expect.poll(() => video.dataset.shown).toBe('true');
  expect([video.paused, video.poster !== '']).toEqual([!plays, !plays]);
  const button = page.getByRole('button');
  await expect
    .element(button)
    .toHaveAccessibleName(plays ? 'إيقاف حركة الخلفية' : 'تشغيل حركة الخلفية');
  await button.click();
  await expect.poll(() => video.paused).toBe(plays);
});
