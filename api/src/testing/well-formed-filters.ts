import { saveFilter } from '@diwan/contract/requests/saved-filters';
import type { TestHouse } from './test-house.ts';
import type { WellFormed } from './well-formed-call.ts';

/** Calls about saved filters; the one that is changed is `employee`'s. */
export function wellFormedFilters(house: TestHouse): Record<string, WellFormed> {
  let made = 0;
  const choice = { keyword: 'licence', from: '', to: '', sort: 'desc' as const, isMine: false };
  const fresh = () => ({ list: 'all' as const, name: `filter ${(made += 1)}`, choice });
  async function kept(): Promise<string> {
    const filter = fresh();
    const { body } = await house.call(saveFilter, {
      token: await house.signIn('employee'),
      body: filter,
    });
    return body.find(({ name }) => name === filter.name)?.id ?? '';
  }
  return {
    getSavedFilters: { make: () => ({}) },
    saveFilter: { make: () => ({ body: fresh() }) },
    changeSavedFilter: {
      owner: 'employee',
      make: async () => ({ body: { id: await kept(), name: `other ${(made += 1)}` } }),
    },
    deleteSavedFilter: { owner: 'employee', make: async () => ({ body: { id: await kept() } }) },
  };
}
