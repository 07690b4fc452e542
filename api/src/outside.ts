import type { Outside } from './app.ts';
import { ConfigError, type Config } from './config.ts';
import { httpBotCheckProvider } from './platform/http/bot-check.ts';
import type { Database } from './platform/database/database.ts';
import { openIdentityProvider } from './platform/integrations/identity-provider.ts';
import { httpMailGateway, smtpMailGateway, type MailGateway } from './platform/messages/mail.ts';
import { httpPaymentProvider } from './platform/integrations/payment-provider.ts';
import { ownSecret } from './platform/auth/secrets.ts';
import { httpSmsGateway } from './platform/messages/sms.ts';

/** What ends a step of the start. */
export type Stop = () => Promise<unknown>;

interface StandIn {
  url: string;
  /** Where visitors reach it. */
  publicUrl: string;
  key: string;
}

async function openStandIn(
  config: Config,
  database: Database,
  portalUrl: string,
  port: number,
  stops: Stop[],
): Promise<StandIn> {
  const key = await ownSecret(database, 'sandbox');
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  const sandbox = await startSandbox({ database, host: config.HOST, port, portalUrl, key });
  stops.unshift(() => sandbox.close());
  const portal = new URL(portalUrl);
  return {
    url: `http://${config.HOST}:${port}`,
    publicUrl: `${portal.protocol}//${portal.hostname}:${port}`,
    key,
  };
}

async function botCheckOf(
  config: Config,
  standIn: StandIn | undefined,
): Promise<Outside['botCheck']> {
  if (config.BOT_CHECK === 'off') return undefined;
  if (config.BOT_CHECK_URL === undefined && standIn) {
    const { sandboxSiteKey } = await import('./sandbox/sandbox-bot-check.ts');
    return {
      provider: httpBotCheckProvider(`${standIn.url}/bot-check/siteverify`, standIn.key),
      siteKey: sandboxSiteKey,
      scriptUrl: `${standIn.publicUrl}/bot-check.js`,
    };
  }
  const setting = (
    name: 'BOT_CHECK_URL' | 'BOT_CHECK_SECRET' | 'BOT_CHECK_SITE_KEY' | 'BOT_CHECK_SCRIPT',
  ) => {
    const value = config[name];
    if (value === undefined)
      throw new ConfigError(`Setting ${name} is missing: BOT_CHECK is on and needs it`);
    return value;
  };
  return {
    provider: httpBotCheckProvider(setting('BOT_CHECK_URL'), setting('BOT_CHECK_SECRET')),
    siteKey: setting('BOT_CHECK_SITE_KEY'),
    scriptUrl: setting('BOT_CHECK_SCRIPT'),
  };
}

function mailOf(config: Config, standIn: StandIn | undefined): MailGateway {
  if (config.SMTP_URL) return smtpMailGateway(config.SMTP_URL, config.MAIL_FROM);
  if (!standIn)
    throw new ConfigError('Setting SMTP_URL is missing: without the sandbox the product needs it');
  return httpMailGateway(standIn.url, standIn.key);
}

/**
 * The adapters of every outside party, with the stand-ins behind those that have no address of
 * their own.
 */
export async function openOutside(
  config: Config,
  database: Database,
  portalUrl: string,
  sandboxPort: number,
  stops: Stop[],
): Promise<Outside> {
  const standIn =
    config.SANDBOX === 'on'
      ? await openStandIn(config, database, portalUrl, sandboxPort, stops)
      : undefined;
  const party = (name: 'PAYMENT_PROVIDER' | 'SMS_GATEWAY') => {
    const url = config[`${name}_URL`] ?? standIn?.url;
    const key = config[`${name}_URL`] ? config[`${name}_KEY`] : standIn?.key;
    if (!url || !key)
      throw new ConfigError(
        `Setting ${name}_URL is missing: without the sandbox the product needs it`,
      );
    return { url, key };
  };
  const provider = party('PAYMENT_PROVIDER');
  const gateway = party('SMS_GATEWAY');
  const botCheck = await botCheckOf(config, standIn);
  const identityProvider = openIdentityProvider(
    config,
    portalUrl,
    standIn && { url: standIn.url, browserUrl: standIn.publicUrl, key: standIn.key },
  );
  return {
    paymentProvider: httpPaymentProvider(provider.url, provider.key),
    sms: httpSmsGateway(gateway.url, gateway.key),
    mail: mailOf(config, standIn),
    ...(botCheck ? { botCheck } : {}),
    ...(identityProvider ? { identityProvider } : {}),
  };
}
