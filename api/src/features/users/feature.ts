import { withoutTimeLimits } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveAccounts } from './accounts.routes.ts';
import { serveActing } from './acting/acting.routes.ts';
import { serveAudit } from './admin/audit.routes.ts';
import { serveStaff } from './admin/staff.routes.ts';
import { serveUserLists } from './admin/user-lists.routes.ts';
import { serveUserRecords } from './admin/user-records.routes.ts';
import type { AccountContext } from './notifications/account-messages.ts';
import { serveSetup } from './setup/setup.routes.ts';
import { openPasswordCheck, type CheckPassword } from './sign-in/reauthenticate.actions.ts';
import { serveUAEPass } from './uae-pass/uae-pass.routes.ts';
import { deleteOldIdentityData } from './users.actions.ts';
import { serveUsers } from './users.routes.ts';

/** Users: sign-in, accounts, UAE PASS, acting for others, and the lists for admins. */
export async function registerUsers(
  context: AppContext,
): Promise<Feature & { checkPassword: CheckPassword }> {
  const { codes, integrations } = context;
  const channels = { codes, mail: integrations.mail, sms: integrations.sms };
  const passwords = await serveUsers(context);
  serveAccounts(context, channels, passwords);
  serveActing(context, channels);
  serveUAEPass(context, integrations.identityProvider);
  serveSetup(context);
  serveAudit(context);
  serveUserLists(context);
  const accounts: AccountContext = {
    ...context,
    ...channels,
    report: (error) => context.server.log.error({ err: error }, 'message of an account not sent'),
  };
  serveUserRecords(context, accounts);
  serveStaff(context, accounts);
  return {
    checkPassword: openPasswordCheck(context.database, passwords.throttle),
    jobs: [
      { everySeconds: 3600, run: () => deleteOldIdentityData(withoutTimeLimits(context.database)) },
    ],
  };
}
