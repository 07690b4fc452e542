import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/staff/notifications';
import { listNotices, listSettings, markNotices, saveSetting } from './notices.actions.ts';

/** The lists of notifications. Our own calls. */
export function serveNotices(
  context: AppContext,
  requests: { announce: (hasMessages: boolean) => void },
): void {
  const { database } = context;
  serve(context, calls.getNotifications, ({ caller, query, language }) =>
    listNotices(
      database,
      caller,
      { isUnread: query.Unread === 'true', page: query.PageNumber, take: query.Take },
      language,
    ),
  );

  serve(context, calls.markNotifications, ({ caller, body }) =>
    markNotices({ database, announce: requests.announce }, caller, body),
  );

  serve(context, calls.getNotificationSettings, ({ caller }) => listSettings(database, caller));

  serve(context, calls.saveNotificationSetting, ({ caller, body }) =>
    saveSetting(database, caller, body),
  );
}
