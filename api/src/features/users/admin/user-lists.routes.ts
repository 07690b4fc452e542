import { getAllUsers } from '@diwan/contract/people/users';
import type { House } from '../../../platform/http/house.ts';
import { serve } from '../../../platform/http/serve.ts';
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
