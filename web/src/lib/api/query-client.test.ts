import { beforeEach, expect, it, vi } from 'vitest';
import { getRequestsByStatusId } from '@diwan/contract/requests/requests';
import { getServiceByServiceName, getServices } from '@diwan/contract/catalogue/services';
import { SendError } from './send-error.ts';

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
      queryFn: () => Promise.reject(new SendError(status, 'NotFound', 'x', {}, false)),
    })
    .catch(() => undefined);

// Specification §8. What is not handled here the page says itself.
it.each([
  [getServices.name, [0, 401, 403, 500, 503]],
  [getServiceByServiceName.name, [0, 401, 403, 500, 503]],
  [getRequestsByStatusId.name, [401, 403, 500, 503]],
])('of the failures of %s these are handled where all are: %j', async (name, expected) => {
  const statuses = [0, 400, 401, 403, 404, 429, 500, 503];
  for (const status of statuses) await fail(name, status);
  expect(handled.map((error) => (error as SendError).status)).toEqual(expected);
});

it('so is what fails after it was shown', async () => {
  queryClient.setQueryData([getRequestsByStatusId.name, 404], 'shown');
  await fail(getRequestsByStatusId.name, 404);
  expect(handled).toHaveLength(1);
});
