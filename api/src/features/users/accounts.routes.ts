import { readCookie } from '#platform/core/cookies.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/people/accounts';
import { changeContact, sendContactCode } from './account/change-contact.actions.ts';
import { resetPassword, sendPasswordCode } from './account/forgotten-password.actions.ts';
import { register, sendRegistrationCode } from './account/register.actions.ts';
import type { AccountContext } from './notifications/account-messages.ts';
import {
  deviceCookie,
  knownDevice,
  writeDeviceCookie,
  type LoginThrottle,
} from './sign-in/login-throttle.ts';
import { endSessionsOf, readOwnSessions } from './sign-in/own-sessions.actions.ts';
import { declineLink, linkAccount } from './uae-pass/link-account.actions.ts';
import { identityCookie } from './uae-pass/uae-pass.actions.ts';
import type { SignIn } from './users.actions.ts';

type AccountParts = Pick<AccountContext, 'codes' | 'mail' | 'sms'>;

function accountsOf(context: AppContext, parts: AccountParts): AccountContext {
  return {
    ...context,
    ...parts,
    report: (error) => context.server.log.error({ err: error }, 'message of an account not sent'),
  };
}

// The limit of the sign-in: these calls verify passwords and codes too.
const limitOf = ({ config }: AppContext) => ({
  perMinute: config.LOGIN_ATTEMPTS_PER_MINUTE,
  failures: {},
});

/** Codes for a new account or a new contact, the new account, and forgotten passwords. */
function serveCodes(context: AppContext, accounts: AccountContext): void {
  const limit = limitOf(context);
  serve(
    context,
    calls.sendVerificationCode,
    async ({ caller, body, language, request }) => {
      if (body.purpose === 'contact' && !caller) throw new Refusal('YouHaveToLoginFirst');
      await accounts.codes.countRequest(request.ip);
      if (body.purpose === 'contact' && caller)
        sendContactCode(accounts, caller, {
          channel: body.channel,
          typed: body.address,
          language,
        });
      else sendRegistrationCode(accounts, body.channel, body.address, language);
      return { sent: true };
    },
    limit,
  );

  serve(
    context,
    calls.createUser,
    async ({ body, request }) => {
      const userId = await register(accounts, body);
      return {
        token: await context.sessions.create(userId, {
          address: request.ip,
          agent: request.headers['user-agent'],
        }),
      };
    },
    limit,
  );

  serve(
    context,
    calls.forgotPassword,
    async ({ body, language, request }) => {
      await accounts.codes.countRequest(request.ip);
      sendPasswordCode(accounts, body.account, language);
      return { sent: true };
    },
    limit,
  );

  serve(
    context,
    calls.resetPassword,
    async ({ body, language, request }) => {
      await resetPassword(accounts, body, { address: request.ip, language });
      return { changed: true };
    },
    limit,
  );
}

/** The linking of a UAE PASS identity to an account that exists. */
function serveUaePassLinks(
  context: AppContext,
  { signIn, throttle }: { signIn: SignIn; throttle: LoginThrottle },
): void {
  const isSecure = context.publicUrl.startsWith('https:');
  const limit = limitOf(context);
  serve(
    context,
    calls.linkUAEPass,
    async ({ body, language, request, reply }) => {
      const browser = readCookie(request, identityCookie, isSecure);
      const origin = {
        address: request.ip,
        agent: request.headers['user-agent'],
        device: readCookie(request, deviceCookie, isSecure),
      };
      const { token, device } = await linkAccount(
        context,
        browser,
        { address: request.ip, language },
        () => signIn(body, origin),
      );
      reply.header('set-cookie', writeDeviceCookie(device, body, isSecure));
      return { token };
    },
    { ...limit, failures: { knownDevice: knownDevice(throttle, isSecure) } },
  );

  serve(
    context,
    calls.declineUAEPassLink,
    async ({ request }) => ({
      token: await declineLink(context, readCookie(request, identityCookie, isSecure), {
        address: request.ip,
        agent: request.headers['user-agent'],
      }),
    }),
    limit,
  );
}

/** Changes of the caller's own account. */
function serveOwnAccount(
  context: AppContext,
  accounts: AccountContext,
  throttle: LoginThrottle,
): void {
  serve(
    context,
    calls.changeContact,
    async ({ caller, body, language, request }) => {
      await changeContact({ ...accounts, throttle }, caller, body, {
        address: request.ip,
        language,
      });
      return { changed: true };
    },
    limitOf(context),
  );

  serve(context, calls.getSessions, ({ caller, language }) =>
    readOwnSessions(context, caller, language),
  );

  serve(context, calls.endSessions, async ({ caller, body, request }) => ({
    ended: await endSessionsOf(context, caller, body.sessionId, request.ip),
  }));
}

/**
 * Routes of registration, forgotten passwords, linking of UAE PASS, and changes of the caller's own
 * account. Decision 0016.
 */
export function serveAccounts(
  context: AppContext,
  parts: AccountParts,
  passwords: { signIn: SignIn; throttle: LoginThrottle },
): void {
  const accounts = accountsOf(context, parts);
  serveCodes(context, accounts);
  serveUaePassLinks(context, passwords);
  serveOwnAccount(context, accounts, passwords.throttle);
}
