import { saveFilter } from '@diwan/contract/requests/saved-filters';
import type { TestApp } from './test-app.ts';
import type { WellFormed } from './well-formed-call.ts';

/** Calls about saved filters; the one that is changed is `employee`'s. */
export function wellFormedFilters(app: TestApp): Record<string, WellFormed> {
  let made = 0;
  const choice = { keyword: 'licence', from: '', to: '', sort: 'desc' as const, isMine: false };
  const fresh = () => ({ list: 'all' as const, name: `filter ${(made += 1)}`, choice });
  async function kept(): Promise<string> {
    const filter = fresh();
    const { body } = await app.call(saveFilter, {
      token: await app.signIn('employee'),
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
