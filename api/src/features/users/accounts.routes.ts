import { readCookie, writeCookie } from '#platform/core/cookies.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/people/accounts';
import { changeContact, sendContactCode } from './account/change-contact.actions.ts';
import { resetPassword, sendPasswordCode } from './account/forgotten-password.actions.ts';
import { register, sendRegistrationCode } from './account/register.actions.ts';
import type { AccountContext } from './notifications/account-messages.ts';
import { deviceCookie, type LoginThrottle } from './sign-in/login-throttle.ts';
import { endSessionsOf, readOwnSessions } from './sign-in/own-sessions.actions.ts';
import { declineLink, linkAccount } from './uae-pass/link-account.actions.ts';
import { identityCookie } from './uae-pass/uae-pass.actions.ts';
import type { SignIn } from './users.actions.ts';

/**
 * Routes of registration, forgotten passwords, linking of UAE PASS, and changes of the caller's own
 * account. Decision 0016.
 */
export function serveAccounts(
  context: AppContext,
  parts: Pick<AccountContext, 'codes' | 'mail' | 'sms'>,
  { signIn, throttle }: { signIn: SignIn; throttle: LoginThrottle },
): void {
  const accounts: AccountContext = {
    ...context,
    ...parts,
    report: (error) => context.server.log.error({ err: error }, 'message of an account not sent'),
  };
  const isSecure = context.publicUrl.startsWith('https:');
  // The limit of the sign-in: these calls verify passwords and codes too.
  const perMinute = context.config.LOGIN_ATTEMPTS_PER_MINUTE;

  serve(
    context,
    calls.sendVerificationCode,
    async ({ caller, body, language, request }) => {
      if (body.purpose === 'contact' && !caller) throw new Refusal('YouHaveToLoginFirst');
      await parts.codes.countRequest(request.ip);
      if (body.purpose === 'contact' && caller)
        sendContactCode(accounts, caller, {
          channel: body.channel,
          typed: body.address,
          language,
        });
      else sendRegistrationCode(accounts, body.channel, body.address, language);
      return { sent: true };
    },
    { perMinute },
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
    { perMinute },
  );

  serve(
    context,
    calls.forgotPassword,
    async ({ body, language, request }) => {
      await parts.codes.countRequest(request.ip);
      sendPasswordCode(accounts, body.account, language);
      return { sent: true };
    },
    { perMinute },
  );

  serve(
    context,
    calls.resetPassword,
    async ({ body, language, request }) => {
      await resetPassword(accounts, body, { address: request.ip, language });
      return { changed: true };
    },
    { perMinute },
  );

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
      reply.header('set-cookie', writeCookie(deviceCookie, device, isSecure));
      return { token };
    },
    { perMinute },
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
    { perMinute },
  );

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
    { perMinute },
  );

  serve(context, calls.getSessions, ({ caller }) => readOwnSessions(context, caller));

  serve(context, calls.endSessions, async ({ caller, body, request }) => ({
    ended: await endSessionsOf(context, caller, body.sessionId, request.ip),
  }));
}
