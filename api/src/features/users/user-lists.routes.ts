import { getAllUsers } from '@diwan/contract/users';
import type { House } from '../../platform/house.ts';
import { serve } from '../../platform/serve.ts';
import { listUsers } from './user-lists.actions.ts';

/** People as an admin looks at them. Source: specification §2 Dashboards. */
export function serveUserLists(house: House): void {
  serve(house, getAllUsers, ({ query, language }) => {
    const list = {
      keyword: query.SearchKeyword,
      role: query.Role,
      pageNumber: query.PageNumber,
      take: query.Take,
    };
    return listUsers(house.database, list, language);
  });
}
