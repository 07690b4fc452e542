import * as contract from '@diwan/contract/people/company-users';
import type { House } from '../../platform/http/house.ts';
import { localize } from '../../platform/core/localize.ts';
import type { MailGateway } from '../../platform/messages/mail.ts';
import { serve } from '../../platform/http/serve.ts';
import {
  cancel,
  getInvitation,
  invite,
  resend,
  type InvitationsHouse,
} from './company-invitations.actions.ts';
import { changeManager, listCompanyUsers, removeUser } from './company-users.actions.ts';
import { getCompanyName } from './company-users.store.ts';
import { accept, joinAsNew } from './join-company.actions.ts';

// For whoever guesses links; 256 bits are out of reach anyway.
const tokensPerMinute = 60;

/** The users of a company and how people come to it: managers invite and remove. */
export function serveCompanyUsers(house: House, mail: MailGateway): void {
  const { database, publicUrl, sessions, server } = house;
  const invitations: InvitationsHouse = {
    database,
    mail,
    publicUrl,
    warn: (message) => server.log.warn(message),
  };

  serve(house, contract.getCompanyUsers, ({ caller, language }) =>
    listCompanyUsers(database, caller, language),
  );

  serve(house, contract.inviteCompanyUser, async ({ caller, body, language }) => {
    await invite(invitations, caller, body.email, body.language ?? language);
    return listCompanyUsers(database, caller, language);
  });

  serve(house, contract.resendCompanyInvitation, async ({ caller, body, language }) => {
    await resend(invitations, caller, body.invitationId);
    return listCompanyUsers(database, caller, language);
  });

  serve(house, contract.cancelCompanyInvitation, async ({ caller, body, language }) => {
    await cancel(database, caller, body.invitationId);
    return listCompanyUsers(database, caller, language);
  });

  serve(house, contract.removeCompanyUser, async ({ caller, body, language }) => {
    await removeUser(database, caller, body.userId);
    return listCompanyUsers(database, caller, language);
  });

  serve(house, contract.setCompanyManager, async ({ caller, body, language }) => {
    await changeManager(database, caller, body.userId, body.isManager);
    return listCompanyUsers(database, caller, language);
  });

  serve(
    house,
    contract.readCompanyInvitation,
    async ({ body, language }) => {
      const invitation = await getInvitation(database, body.token);
      const companyName = localize(await getCompanyName(database, invitation.company_id), language);
      return {
        companyName,
        invitedBy: invitation.invited_by_name,
        email: invitation.email,
        expiresAt: invitation.expires_at.toISOString(),
      };
    },
    { perMinute: tokensPerMinute },
  );

  serve(house, contract.acceptCompanyInvitation, async ({ caller, body, language }) => {
    const invitation = await accept(database, caller, body.token);
    return {
      companyName: localize(await getCompanyName(database, invitation.company_id), language),
    };
  });

  serve(
    house,
    contract.joinCompany,
    async ({ body, request }) => ({
      token: await sessions.begin(await joinAsNew(database, body), { address: request.ip }),
    }),
    { perMinute: tokensPerMinute },
  );
}
