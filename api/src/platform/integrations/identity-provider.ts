import * as oidc from 'openid-client';
import type { Config } from '#config.ts';
import type { Identity } from '../core/identity.ts';
import { readUAEPassProfile } from './uae-pass-profile.ts';

/** A sign-in that is sent to the provider. `verifier` is the code verifier of PKCE. */
interface IdentityRequest {
  state: string;
  verifier: string;
  uiLocales: 'ar' | 'en';
}

/** Identifies people. */
export interface IdentityProvider {
  /** Where its calls go. */
  origin: string;
  authorizationUrl(request: IdentityRequest): Promise<string>;
  /**
   * Exchanges a code for the person's identity; `undefined` for a code that the provider refuses.
   * Throws when the provider cannot be reached.
   */
  identify(code: string, verifier: string): Promise<Identity | undefined>;
}

/**
 * `browserUrl` is the address for browsers and `serverUrl` the one for this server, both before
 * /idshub. They differ where a demo runs in a container.
 */
interface UAEPassOptions {
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
 * UAE PASS over openid-client: authorization code, then userinfo. The configuration is written here
 * because UAE PASS has no discovery document, and it sends no id_token (docs.uaepass.ae,
 * authentication, web integration).
 */
export function createUAEPassProvider(options: UAEPassOptions): IdentityProvider {
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
  // Settings accept https only. The sandbox speaks http.
  if (options.serverUrl.startsWith('http:')) oidc.allowInsecureRequests(client);

  return {
    origin: new URL(options.serverUrl).origin,
    async authorizationUrl({ state, verifier, uiLocales }) {
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
        // The library's own function reads the redirect uri from a URL, which adds a slash to an
        // origin. UAE PASS compares the text exactly.
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
/** Our client id at the sandbox of UAE PASS. */
export const sandboxClientId = 'diwan-sandbox';

/**
 * The identity provider of the settings; `undefined` when it is switched off. The key of the sandbox
 * is the client secret there.
 */
export function openIdentityProvider(
  config: Config,
  publicUrl: string,
  sandbox: { url: string; browserUrl: string; key: string } | undefined,
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
      sandbox &&
      createUAEPassProvider({
        ...shared,
        browserUrl: sandbox.browserUrl,
        serverUrl: sandbox.url,
        clientId: sandboxClientId,
        clientSecret: sandbox.key,
      })
    );
  }
  const url = (config.UAE_PASS_URL ?? hosts[config.UAE_PASS]).replace(/\/$/, '');
  return createUAEPassProvider({
    ...shared,
    browserUrl: url,
    serverUrl: url,
    clientId: config.UAE_PASS_CLIENT_ID ?? '',
    clientSecret: config.UAE_PASS_CLIENT_SECRET ?? '',
  });
}
