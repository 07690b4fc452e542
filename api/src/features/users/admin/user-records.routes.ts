import type { FastifyRequest } from 'fastify';
import type { Caller } from '#platform/auth/caller.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/staff/user-administration';
import type { AccountContext } from '../notifications/account-messages.ts';
import * as actions from './user-records.actions.ts';

/** Routes of single accounts for admins. */
export function serveUserRecords(context: AppContext, accounts: AccountContext): void {
  const { database } = context;
  const adminOf = ({ caller, request }: { caller: Caller; request: FastifyRequest }) => ({
    caller,
    address: request.ip,
  });

  serve(context, calls.getUserById, ({ caller, query, language }) =>
    actions.getUserRecord(database, caller, query.UserId, language),
  );

  serve(context, calls.getUserSessions, ({ caller, query, language }) =>
    actions.listUserSessions(context, caller, query.UserId, language),
  );

  serve(context, calls.endUserSessions, async ({ body, ...incoming }) => ({
    ended: await actions.endUserSessions(context, adminOf(incoming), body.userId, body.sessionId),
  }));

  serve(context, calls.suspendUser, async ({ body, language, ...incoming }) => {
    await actions.suspendUser(accounts, adminOf(incoming), body);
    return actions.getUserRecord(database, incoming.caller, body.userId, language);
  });

  serve(context, calls.restoreUser, async ({ body, language, ...incoming }) => {
    await actions.restoreUser(accounts, adminOf(incoming), body);
    return actions.getUserRecord(database, incoming.caller, body.userId, language);
  });

  serve(context, calls.changeUserRoles, async ({ body, language, ...incoming }) => {
    await actions.changeRoles(accounts, adminOf(incoming), body);
    return actions.getUserRecord(database, incoming.caller, body.userId, language);
  });

  serve(context, calls.sendPasswordCode, async ({ body, ...incoming }) => {
    await actions.sendPasswordCode(accounts, adminOf(incoming), body.userId);
    return { sent: true };
  });
}
