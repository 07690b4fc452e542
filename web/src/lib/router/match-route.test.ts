import fc from 'fast-check';
import { matchRoutes } from 'react-router';
import { expect, it, vi } from 'vitest';
import { matchRoute } from './match-route.ts';

const part = fc.constantFrom('requests', 'Create', 'new', 'home', ':id', ':name');
const pattern = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.constantFrom('', ':last?'))
  .map(([parts, last]) => [...parts, ...(last && parts.length > 0 ? [last] : [])].join('/'));
const address = fc
  .array(
    fc.oneof(
      fc.constantFrom('requests', 'create', 'NEW', 'home', '%D8%A7', 'a%2Fb', '%', '%zz', '', '.'),
      fc.string({ maxLength: 3 }).map((text) => encodeURIComponent(text)),
    ),
    { maxLength: 5 },
  )
  .map((parts) => `/${parts.join('/')}`);

it('finds the route and the parameters that React Router finds', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let found = 0;
  fc.assert(
    fc.property(fc.uniqueArray(pattern, { maxLength: 6 }), address, (paths, pathname) => {
      const routes = [...paths, '*'].map((path) => ({ path }));
      const [theirs] = matchRoutes(routes, pathname) ?? [];
      const ours = matchRoute(routes, pathname);
      const { '*': _, ...params } = theirs?.params ?? {};
      expect(ours?.route.path).toBe(theirs?.route.path);
      expect({ ...ours?.params }).toEqual(params);
      if (ours?.route.path !== '*') found += 1;
    }),
    { numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(200);
});
