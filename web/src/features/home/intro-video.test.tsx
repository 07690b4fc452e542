import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { countInteractions } from '#lib/browser/interaction.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { renderComponent } from '#testing/render-page.tsx';
import { Toasts } from '#ui/feedback/toasts.tsx';
import { IntroVideo } from './intro-video.tsx';

const intro = page.getByRole('dialog');
const visited = () => window.sessionStorage.getItem('homeVisited');

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
        <IntroVideo interactions={countInteractions()} />
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
  await userEvent.keyboard('{Escape}');
  await expect.element(intro).not.toBeInTheDocument();
  expect(document.getElementById('main')?.parentElement?.inert).toBe(false);
});

it('is not shown when its video is late, but at the next visit; then not again', async () => {
  const now = performance.now.bind(performance);
  const late = await open();
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 3001);
  await expectNotShown(late);
  await late.unmount();
  vi.restoreAllMocks();
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
