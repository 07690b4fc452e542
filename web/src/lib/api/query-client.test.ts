import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { getServiceIdByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { ApiError } from './api-error.ts';

const handled: unknown[] = [];
vi.mock('./handle-error.ts', () => ({ handleError: (error: unknown) => handled.push(error) }));
const { queryClient } = await import('./query-client.ts');
beforeEach(() => void (handled.length = 0));

const fail = (name: string, status: number) =>
  queryClient
    .fetchQuery({
      queryKey: [name, status],
      retry: false,
      staleTime: 0,
      queryFn: () => Promise.reject(new ApiError(status, 'NotFound', 'x')),
    })
    .catch(() => undefined);

// Specification §8. Only the page shows that the connection is missing.
it.each([
  [getServices.name, [0, 400, 401, 403, 404, 429, 500, 503]],
  [getServiceIdByServiceName.name, [0, 400, 401, 403, 404, 429, 500, 503]],
  [getRequestsByStatusId.name, [400, 401, 403, 404, 429, 500, 503]],
])('of the failures of %s these are handled globally: %j', async (name, expected) => {
  const statuses = [0, 400, 401, 403, 404, 429, 500, 503];
  for (const status of statuses) await fail(name, status);
  expect(handled.map((error) => (error as ApiError).status)).toEqual(expected);
});

const name = 'refetched';

it('a refetch without a connection is handled globally', async () => {
  queryClient.setQueryData([name, 0], 'shown');
  await fail(name, 0);
  expect(handled).toHaveLength(1);
});

it.each([404, 429, 500])('a %i that a refetch repeats is handled once', async (status) => {
  queryClient.setQueryData([name, status], 'shown');
  for (let refetch = 0; refetch < 3; refetch += 1) await fail(name, status);
  expect(handled).toHaveLength(1);
  await queryClient.fetchQuery({
    queryKey: [name, status],
    staleTime: 0,
    queryFn: () => Promise.resolve('new'),
  });
  await fail(name, status);
  expect(handled).toHaveLength(2);
});

it('the end of the session is handled each time', async () => {
  for (let refetch = 0; refetch < 2; refetch += 1) await fail(name, 401);
  expect(handled).toHaveLength(2);
});

it('a failure is handled again for a user who comes back to the page', async () => {
  const visit = async () => {
    const options = { queryKey: [name, 'visited'], retry: false, staleTime: 0 };
    const observer = new QueryObserver(queryClient, {
      ...options,
      queryFn: () => Promise.reject(new ApiError(404, 'NotFound', 'x')),
    });
    const leave = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(observer.getCurrentResult().isFetching).toBe(false));
    leave();
    // The cache reports to its subscribers in the next task.
    await new Promise((resolve) => setTimeout(resolve));
  };
  await visit();
  await visit();
  expect(handled).toHaveLength(2);
});

it('a read is repeated when the server says that it accepts calls again', () => {
  const delayOf = queryClient.getDefaultOptions().queries?.retryDelay as (
    attempt: number,
    error: Error,
  ) => number;
  const busy = new ApiError(503, 'ServerBusy', 'x');
  expect(delayOf(1, busy)).toBe(1000);
  for (const [seconds, least] of [
    [3, 3000],
    [600, 10_000],
  ] as const) {
    busy.retryAfter = seconds;
    expect(delayOf(0, busy)).toBeGreaterThanOrEqual(least);
    expect(delayOf(0, busy)).toBeLessThanOrEqual(least * 1.5);
  }
});
