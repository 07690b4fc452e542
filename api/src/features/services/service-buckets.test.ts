import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CatalogueService } from './catalogue-records.ts';
import { openServiceBuckets, passes } from './service-buckets.ts';

const id = fc.integer({ min: 1, max: 4 });
const services = fc.array(
  fc.record({ agency: id, category: id, accountTypeIds: fc.array(id, { maxLength: 3 }) }),
  { maxLength: 30 },
);
const optionalId = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined });
const filters = fc.array(
  fc.record({ agencyId: optionalId, categoryId: optionalId, accountTypeId: optionalId }),
  { minLength: 1, maxLength: 12 },
);

it('finds the same services in the same order as a filter over all', () => {
  fc.assert(
    fc.property(services, filters, (made, asked) => {
      const catalogue = made.map(({ agency, category, accountTypeIds }, at) => ({
        id: at,
        agency: { id: agency },
        category: { id: category },
        accountTypeIds,
      })) as unknown as CatalogueService[];
      const select = openServiceBuckets(catalogue);
      for (const filter of asked)
        expect(select(filter)).toEqual(catalogue.filter((service) => passes(service, filter)));
    }),
  );
});
