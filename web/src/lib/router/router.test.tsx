import { StrictMode, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { createMemoryHistory } from '#testing/memory-history.ts';
import { Link, Navigate } from './link.tsx';
import { createBrowserHistory } from './location.ts';
import {
  Outlet,
  RouterProvider,
  useIsLoading,
  useLoaderData,
  useLocation,
  useParams,
  useSearchParams,
} from './router-provider.tsx';
import { createRouter, redirect, type Route } from './router.ts';
import { ScrollRestoration } from './scroll-restoration.ts';

const heading = page.getByRole('heading');
const ErrorPage = ({ error }: { error: unknown }) => <h1>Failed: {String(error)}</h1>;
const nextFrame = () => new Promise(requestAnimationFrame);
const titled = (title: string) => () => <h1>{title}</h1>;

function Frame() {
  const isLoading = useIsLoading();
  return (
    <>
      <p>{isLoading ? 'loading' : 'ready'}</p>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

async function open(routes: readonly Route[], path = '/') {
  const history = createMemoryHistory(path);
  const moves: string[] = [];
  const router = createRouter({
    routes,
    history: {
      ...history,
      push: (location) => void (moves.push('push'), history.push(location)),
      replace: (location) => void (moves.push('replace'), history.replace(location)),
    },
  });
  await render(
    <StrictMode>
      <RouterProvider router={router} ErrorPage={ErrorPage} Fallback={titled('Fallback')}>
        <Frame />
      </RouterProvider>
    </StrictMode>,
  );
  return { router, moves };
}

/** A promise and the function that resolves it. */
function wait<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => (resolve = done));
  return { promise, resolve };
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

it('shows the fallback, then the page; the old page stays while the next one loads', async () => {
  const first = wait<{ Component: () => React.JSX.Element }>();
  const second = wait<unknown>();
  const { router } = await open([
    { path: '', lazy: () => first.promise },
    { path: 'next', loader: () => second.promise, Component: titled('Next') },
  ]);
  await expect.element(heading).toHaveTextContent('Fallback');
  first.resolve({ Component: titled('First') });
  await expect.element(heading).toHaveTextContent('First');
  const navigation = router.navigate('/next');
  await expect.element(page.getByText('loading')).toBeVisible();
  await expect.element(heading).toHaveTextContent('First');
  expect(router.state.location.pathname).toBe('/');
  second.resolve(null);
  await navigation;
  await expect.element(heading).toHaveTextContent('Next');
  await expect.element(page.getByText('ready')).toBeVisible();
});

it('shows the last of two navigations', async () => {
  const slow = wait<unknown>();
  const signals: AbortSignal[] = [];
  const { router, moves } = await open([
    { path: '', Component: titled('First') },
    {
      path: 'slow',
      loader: ({ request }) => (signals.push(request.signal), slow.promise),
      Component: titled('Slow'),
    },
    { path: 'fast', Component: titled('Fast') },
  ]);
  const both = [router.navigate('/slow'), router.navigate('/fast')];
  slow.resolve(null);
  await Promise.all(both);
  await expect.element(heading).toHaveTextContent('Fast');
  expect(moves).toEqual(['push']);
  expect(signals[0]?.aborted).toBe(true);
});

it.each([
  ['returns', (to: string) => redirect(to)],
  [
    'throws',
    (to: string): Response => {
      throw redirect(to);
    },
  ],
])('a loader that %s a redirect opens another page', async (_, answer) => {
  const { router, moves } = await open(
    [
      { path: '', loader: () => answer('/target?a=b#c') },
      { path: 'from', loader: () => answer('/target'), lazy: () => new Promise(() => undefined) },
      {
        path: 'late',
        lazy: async () => ({ Component: titled('Late'), loader: () => answer('/') }),
      },
      { path: 'target', Component: titled('Target') },
    ],
    '/',
  );
  await expect.element(heading).toHaveTextContent('Target');
  expect(router.state.location).toMatchObject({ pathname: '/target', search: '?a=b', hash: '#c' });
  // Back leaves the portal.
  expect(moves).toEqual(['replace']);
  await router.navigate('/from');
  expect(moves).toEqual(['replace', 'push']);
  await router.navigate('/late', { replace: true });
  expect(moves).toEqual(['replace', 'push', 'replace']);
});

it('passes parameters, data and state', async () => {
  const Page = () => {
    const { name } = useParams();
    const data = useLoaderData<string>();
    return <h1>{[name, data, JSON.stringify(useLocation().state)].join(' ')}</h1>;
  };
  const loader = ({ params, request }: { params: { name?: string }; request: Request }) =>
    `${params.name}${new URL(request.url).search}`;
  const { router } = await open([
    { path: '', Component: titled('First') },
    { path: 'of/:name', lazy: async () => ({ Component: Page, loader }) },
  ]);
  await router.navigate('/of/%D8%A7%2Fb?q=1', { state: { from: 'here' } });
  await expect.element(heading).toHaveTextContent('ا/b ا/b?q=1 {"from":"here"}');
});

it('shows an error of the code, the loader and the page, and the next page after it', async () => {
  let attempts = 0;
  const { router } = await open([
    { path: '', Component: titled('First') },
    {
      path: 'code',
      lazy: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('no code');
        return { Component: titled('Code') };
      },
    },
    {
      path: 'loader',
      loader: () => {
        throw new Error('no data');
      },
      Component: titled('x'),
    },
    {
      path: 'page',
      Component: () => {
        throw new Error('no page');
      },
    },
  ]);
  for (const [path, text] of [
    ['/code', 'Failed: Error: no code'],
    ['/loader', 'Failed: Error: no data'],
    ['/page', 'Failed: Error: no page'],
    ['/nowhere', 'Failed: Error: No page at /nowhere'],
    ['/code', 'Code'],
  ] as const) {
    await router.navigate(path);
    await expect.element(heading).toHaveTextContent(text);
  }
});

it('runs no loader for another fragment, and one for another query', async () => {
  const loader = vi.fn();
  const { router } = await open([{ path: '', loader, Component: titled('First') }]);
  await expect.element(heading).toHaveTextContent('First');
  await router.navigate('#part');
  expect(loader).toHaveBeenCalledOnce();
  await router.navigate({ search: 'a=b' });
  expect(loader).toHaveBeenCalledTimes(2);
  expect(router.state.location).toMatchObject({ search: '?a=b', hash: '' });
  await router.navigate(-1);
  expect(router.state).toMatchObject({ navigationType: 'POP', location: { hash: '#part' } });
});

it('keeps the state of a page whose query changes', async () => {
  const Page = () => {
    const [count, setCount] = useState(0);
    const [search, setSearch] = useSearchParams();
    return (
      <>
        <h1>{`${count} ${search.get('q') ?? ''}`}</h1>
        <button type="button" onClick={() => (setCount(count + 1), setSearch({ q: 'x' }))}>
          change
        </button>
      </>
    );
  };
  await open([{ path: '', lazy: async () => ({ Component: Page }) }]);
  await page.getByRole('button').click();
  await expect.element(heading).toHaveTextContent('1 x');
});

it('follows a link, and leaves to the browser what the browser should do', async () => {
  const onClick = vi.fn((event: React.MouseEvent) => event.preventDefault());
  const Page = () => (
    <>
      <h1>{useLocation().pathname}</h1>
      <Link to="/other" state="s">
        other
      </Link>
      <Link to={{ hash: 'part' }}>part</Link>
      <Link to="/other" onClick={onClick}>
        prevented
      </Link>
    </>
  );
  const { router, moves } = await open([{ path: '*', Component: Page }]);
  await expect.element(page.getByRole('link', { name: 'part' })).toHaveAttribute('href', '/#part');
  await page.getByRole('link', { name: 'prevented' }).click();
  const stopped = vi.fn((event: Event) => event.preventDefault());
  window.addEventListener('click', stopped);
  await userEvent.keyboard('{Control>}');
  await page.getByRole('link', { name: 'other' }).click();
  await userEvent.keyboard('{/Control}');
  window.removeEventListener('click', stopped);
  expect([onClick.mock.calls.length, stopped.mock.calls.length, moves]).toEqual([1, 1, []]);
  await page.getByRole('link', { name: 'other' }).click();
  await expect.element(heading).toHaveTextContent('/other');
  expect(router.state.location.state).toBe('s');
  // The same address again adds no entry.
  await page.getByRole('link', { name: 'other' }).click();
  await expect.poll(() => moves).toEqual(['push', 'replace']);
});

it('opens another page as soon as one is shown', async () => {
  await open([
    { path: '', Component: () => <Navigate to="/target" replace /> },
    { path: 'target', Component: titled('Target') },
  ]);
  await expect.element(heading).toHaveTextContent('Target');
});

it('shows the page before a synchronous navigation resolves', async () => {
  const { router } = await open([
    { path: '', Component: titled('First') },
    { path: 'next', Component: titled('Next') },
  ]);
  await expect.element(heading).toHaveTextContent('First');
  await router.navigate('/next', { flushSync: true });
  expect(document.querySelector('h1')?.textContent).toBe('Next');
});

it('begins a typed address at the top, and keeps the place over a reload', () => {
  // What the browser makes of an address: an entry without a state.
  const openAddress = () => {
    window.history.replaceState(null, '');
    return createBrowserHistory().read().key;
  };
  const first = openAddress();
  expect(openAddress()).not.toBe(first);
  const { key } = createBrowserHistory().read();
  expect(createBrowserHistory().read().key).toBe(key);
});

it('begins a page at its top or fragment, and goes back to where the user left it', async () => {
  const Page = () => (
    <>
      <h1>{useLocation().pathname}</h1>
      <div style={{ height: 3000 }} />
      <p id="ا">part</p>
      <div style={{ height: 3000 }} />
    </>
  );
  const { router } = await open([{ path: '*', Component: Page }]);
  await expect.element(heading).toHaveTextContent('/');
  const go = async (to: string | number, options?: { preventScrollReset: boolean }) => {
    await router.navigate(to, options);
    // The router renders in a transition.
    await expect.element(heading).toHaveTextContent(router.state.location.pathname);
    await expect.poll(() => router.state.isLoading).toBe(false);
  };
  window.scrollTo(0, 500);
  await go('/b');
  await expect.poll(() => window.scrollY).toBe(0);
  window.scrollTo(0, 700);
  await go('/c', { preventScrollReset: true });
  expect(window.scrollY).toBe(700);
  await go('/d#%D8%A7');
  await expect.poll(() => window.scrollY).toBeGreaterThan(2500);
  await go(-3);
  await expect.poll(() => window.scrollY).toBe(500);
  await go(1);
  await expect.poll(() => window.scrollY).toBe(700);
});

it('holds the position of an entry while its page loads, until the user scrolls', async () => {
  const Page = () => (
    <>
      <h1>{useLocation().pathname}</h1>
      <div data-testid="content" style={{ height: 100 }} />
    </>
  );
  const { router } = await open([{ path: '*', Component: Page }]);
  const go = async (to: string | number) => {
    await router.navigate(to);
    await expect.element(heading).toHaveTextContent(router.state.location.pathname);
  };
  const content = page.getByTestId('content');
  const resize = async (height: number) => {
    (content.element() as HTMLElement).style.height = `${height}px`;
    await nextFrame();
    await nextFrame();
  };
  await resize(3000);
  window.scrollTo(0, 1500);
  await go('/b');
  await resize(100);
  await go(-1);
  expect(window.scrollY).toBe(0);
  await resize(1800);
  await resize(3000);
  expect(window.scrollY).toBe(1500);
  await resize(100);
  expect(window.scrollY).toBe(0);
  await resize(3000);
  expect(window.scrollY).toBe(1500);
  // Who leaves while the page is too short comes back to the position, not to where it was cut off.
  await resize(100);
  await go('/c');
  await go(-1);
  await resize(3000);
  expect(window.scrollY).toBe(1500);
  window.dispatchEvent(new WheelEvent('wheel'));
  window.scrollTo(0, 200);
  await resize(4000);
  expect(window.scrollY).toBe(200);
});
