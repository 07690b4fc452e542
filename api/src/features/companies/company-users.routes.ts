import { localize, localizePersonName } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import type { MailGateway } from '#platform/messages/mail.ts';
import * as contract from '@diwan/contract/people/companies';
import {
  cancel,
  getInvitation,
  invite,
  resend,
  type InvitationsContext,
} from './company-invitations.actions.ts';
import {
  changeManager,
  listCompanyUsers,
  removeUser,
  saveDetails,
} from './company-users.actions.ts';
import { getCompanyName } from './company-users.store.ts';
import { accept, joinAsNew } from './join-company.actions.ts';

// Limits guesses of links, which have 256 random bits.
const tokensPerMinute = 60;

/** Routes of the users of a company and their invitations. */
export function serveCompanyUsers(context: AppContext, mail: MailGateway): void {
  const { database, publicUrl, sessions, server } = context;
  const invitations: InvitationsContext = {
    database,
    mail,
    publicUrl,
    report: (error) => server.log.warn({ err: error }, 'an invitation was not taken'),
  };

  serve(context, contract.getCompanyUsers, ({ caller, language }) =>
    listCompanyUsers(database, caller, language),
  );

  serve(context, contract.saveCompanyDetails, async ({ caller, request, body, language }) => {
    await saveDetails(database, { caller, address: request.ip }, body);
    return listCompanyUsers(database, caller, language);
  });

  serve(context, contract.inviteCompanyUser, async ({ caller, body, language }) => {
    await invite(invitations, caller, body.email, body.language ?? language);
    return listCompanyUsers(database, caller, language);
  });

  serve(context, contract.resendCompanyInvitation, async ({ caller, body, language }) => {
    await resend(invitations, caller, body.invitationId);
    return listCompanyUsers(database, caller, language);
  });

  serve(context, contract.cancelCompanyInvitation, async ({ caller, body, language }) => {
    await cancel(database, caller, body.invitationId);
    return listCompanyUsers(database, caller, language);
  });

  serve(context, contract.removeCompanyUser, async ({ caller, body, language }) => {
    await removeUser(database, caller, body.userId);
    return listCompanyUsers(database, caller, language);
  });

  serve(context, contract.setCompanyManager, async ({ caller, body, language }) => {
    await changeManager(database, caller, body.userId, body.isManager);
    return listCompanyUsers(database, caller, language);
  });

  serve(
    context,
    contract.readCompanyInvitation,
    async ({ body, language }) => {
      const invitation = await getInvitation(database, body.token);
      const companyName = localize(await getCompanyName(database, invitation.company_id), language);
      return {
        companyName,
        invitedBy: localizePersonName(invitation, language),
        email: invitation.email,
        expiresAt: invitation.expires_at.toISOString(),
      };
    },
    { perMinute: tokensPerMinute, failures: {} },
  );

  serve(context, contract.acceptCompanyInvitation, async ({ caller, body, language }) => {
    const invitation = await accept(database, caller, body.token);
    return {
      companyName: localize(await getCompanyName(database, invitation.company_id), language),
    };
  });

  serve(
    context,
    contract.joinCompany,
    async ({ body, request }) => ({
      token: await sessions.create(await joinAsNew(database, body), { address: request.ip }),
    }),
    { perMinute: tokensPerMinute, failures: {} },
  );
}
