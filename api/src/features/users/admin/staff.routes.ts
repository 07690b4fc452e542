import type { FastifyRequest } from 'fastify';
import type { Caller } from '#platform/auth/caller.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as changes from '@diwan/contract/staff/role-changes';
import * as invitations from '@diwan/contract/staff/staff-invitations';
import type { AccountContext } from '../notifications/account-messages.ts';
import { changeConfirmation, decideChange, readConfirmation } from './role-changes.actions.ts';
import {
  acceptStaffInvitation,
  cancelStaffInvitation,
  getStaffInvitation,
  inviteStaff,
  joinAsStaff,
  listInvitations,
  resendInvitation,
} from './staff-invitations.actions.ts';
import { openPositionDescriber } from './user-records.actions.ts';

// Limits guesses of links, which have 256 random bits.
const tokensPerMinute = 60;

/** Routes of invitations of staff, and of changes of roles that wait for a second admin. */
export function serveStaff(context: AppContext, accounts: AccountContext): void {
  const { database, sessions } = context;
  const adminOf = ({ caller, request }: { caller: Caller; request: FastifyRequest }) => ({
    caller,
    address: request.ip,
  });

  serve(context, invitations.getStaffInvitations, ({ caller, language }) =>
    listInvitations(database, caller, language),
  );
  serve(context, invitations.inviteStaff, async ({ body, language, ...incoming }) => {
    await inviteStaff(accounts, adminOf(incoming), {
      ...body,
      language: body.language ?? language,
    });
    return listInvitations(database, incoming.caller, language);
  });
  serve(context, invitations.resendStaffInvitation, async ({ body, language, ...incoming }) => {
    await resendInvitation(accounts, adminOf(incoming), body.invitationId);
    return listInvitations(database, incoming.caller, language);
  });
  serve(context, invitations.cancelStaffInvitation, async ({ body, language, ...incoming }) => {
    await cancelStaffInvitation(context, adminOf(incoming), body.invitationId);
    return listInvitations(database, incoming.caller, language);
  });

  serve(
    context,
    invitations.readStaffInvitation,
    async ({ body, language }) => {
      const invitation = await getStaffInvitation(database, body.token);
      const position = {
        roles: invitation.roles,
        partnerId: invitation.partner_id,
        agencies: invitation.all_agencies ? ('all' as const) : invitation.agency_ids,
      };
      const describe = await openPositionDescriber(database, [position], language);
      return {
        email: invitation.email,
        fullName: invitation.full_name,
        invitedBy: localizePersonName(
          { full_name: invitation.invited_by_name, full_name_ar: invitation.invited_by_name_ar },
          language,
        ),
        expiresAt: (invitation.expires_at ?? invitation.created_at).toISOString(),
        ...describe(position),
      };
    },
    { perMinute: tokensPerMinute, failures: {} },
  );
  serve(context, invitations.acceptStaffInvitation, async ({ caller, body }) => {
    await acceptStaffInvitation(database, caller, body.token);
    return { accepted: true };
  });
  serve(
    context,
    invitations.joinStaff,
    async ({ body, request }) => ({
      token: await sessions.create(await joinAsStaff(database, body), {
        address: request.ip,
        agent: request.headers['user-agent'],
      }),
    }),
    { perMinute: tokensPerMinute, failures: {} },
  );

  serve(context, changes.getRoleConfirmation, ({ caller, language }) =>
    readConfirmation(context, caller, language),
  );
  serve(context, changes.changeRoleConfirmation, async ({ body, language, ...incoming }) => {
    await changeConfirmation(context, adminOf(incoming), body.isRequired);
    return readConfirmation(context, incoming.caller, language);
  });
  serve(context, changes.decideRoleChange, async ({ body, language, ...incoming }) => {
    await decideChange(accounts, adminOf(incoming), body);
    return readConfirmation(context, incoming.caller, language);
  });
}
