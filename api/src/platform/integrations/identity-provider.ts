import * as oidc from 'openid-client';
import type { Config } from '../../config.ts';
import { readUAEPassProfile, type Identity } from './uae-pass-profile.ts';

/** A sign-in that is about to leave for the provider. `verifier` is that of PKCE. */
export interface IdentityRequest {
  state: string;
  verifier: string;
  uiLocales: 'ar' | 'en';
}

/**
 * Who knows people. `identify` answers `undefined` to a code that the provider does not take, and
 * throws when it cannot be asked.
 */
export interface IdentityProvider {
  addressFor(request: IdentityRequest): Promise<string>;
  identify(code: string, verifier: string): Promise<Identity | undefined>;
}

/**
 * `browserUrl` is where people are sent, `serverUrl` where we ask; they differ where a demo runs in
 * a box. Both are the part before /idshub.
 */
export interface UAEPassOptions {
  browserUrl: string;
  serverUrl: string;
  clientId: string;
  clientSecret: string;
  /** The portal's origin, as it is registered with UAE PASS. */
  redirectUri: string;
  scope: string;
  acr: string;
  hasPkce: boolean;
}

const timeoutSeconds = 5;

/**
 * UAE PASS over openid-client: authorization code, then userinfo. Its configuration is made by
 * hand, because it has no discovery document, and no
 * id_token comes (docs.uaepass.ae, authentication, web integration).
 */
export function uaePass(options: UAEPassOptions): IdentityProvider {
  const server = {
    issuer: options.serverUrl,
    authorization_endpoint: `${options.browserUrl}/idshub/authorize`,
    token_endpoint: `${options.serverUrl}/idshub/token`,
    userinfo_endpoint: `${options.serverUrl}/idshub/userinfo`,
  };
  const client = new oidc.Configuration(
    server,
    options.clientId,
    undefined,
    oidc.ClientSecretBasic(options.clientSecret),
  );
  client.timeout = timeoutSeconds;
  // Settings take https only; the sandbox is the one that speaks http.
  if (options.serverUrl.startsWith('http:')) oidc.allowInsecureRequests(client);

  return {
    async addressFor({ state, verifier, uiLocales }) {
      const pkce: Record<string, string> = options.hasPkce
        ? {
            code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          }
        : {};
      return oidc.buildAuthorizationUrl(client, {
        redirect_uri: options.redirectUri,
        scope: options.scope,
        acr_values: options.acr,
        ui_locales: uiLocales,
        state,
        ...pkce,
      }).href;
    },
    async identify(code, verifier) {
      try {
        // The ready-made grant takes the redirect uri from an address, which puts a slash behind an
        // origin; UAE PASS compares letter by letter.
        const { access_token } = await oidc.genericGrantRequest(client, 'authorization_code', {
          code,
          redirect_uri: options.redirectUri,
          ...(options.hasPkce ? { code_verifier: verifier } : {}),
        });
        return readUAEPassProfile(
          await oidc.fetchUserInfo(client, access_token, oidc.skipSubjectCheck),
        );
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
          return undefined;
        throw error;
      }
    },
  };
}

const hosts = { staging: 'https://stg-id.uaepass.ae', production: 'https://id.uaepass.ae' };
/** By which the stand-in for UAE PASS knows us. */
export const sandboxClientId = 'diwan-sandbox';

/**
 * The identity provider that the settings name; `undefined` when there is none. `standIn` is the
 * sandbox: its key is the client's secret there.
 */
export function openIdentityProvider(
  config: Config,
  publicUrl: string,
  standIn: { url: string; browserUrl: string; key: string } | undefined,
): IdentityProvider | undefined {
  const shared = {
    redirectUri: new URL(publicUrl).origin,
    scope: config.UAE_PASS_SCOPE,
    acr: config.UAE_PASS_ACR,
    hasPkce: (config.UAE_PASS_PKCE ?? (config.UAE_PASS === 'sandbox' ? 'on' : 'off')) === 'on',
  };
  if (config.UAE_PASS === 'off') return undefined;
  if (config.UAE_PASS === 'sandbox') {
    return (
      standIn &&
      uaePass({
        ...shared,
        browserUrl: standIn.browserUrl,
        serverUrl: standIn.url,
        clientId: sandboxClientId,
        clientSecret: standIn.key,
      })
    );
  }
  const url = (config.UAE_PASS_URL ?? hosts[config.UAE_PASS]).replace(/\/$/, '');
  return uaePass({
    ...shared,
    browserUrl: url,
    serverUrl: url,
    clientId: config.UAE_PASS_CLIENT_ID ?? '',
    clientSecret: config.UAE_PASS_CLIENT_SECRET ?? '',
  });
}
