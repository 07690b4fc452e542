import { getAllUsers } from '@diwan/contract/people/users';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import { listUsers } from './user-lists.actions.ts';

/** People as an admin looks at them. Source: specification §2 Dashboards. */
export function serveUserLists(context: AppContext): void {
  serve(context, getAllUsers, ({ query, language }) => {
    const list = {
      keyword: query.SearchKeyword,
      role: query.Role,
      pageNumber: query.PageNumber,
      take: query.Take,
    };
    return listUsers(context.database, list, language);
  });
}
