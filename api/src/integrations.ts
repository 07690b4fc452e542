import { ConfigError, isExposed, type Config } from './config.ts';
import { getOrCreateSecret } from './platform/auth/secrets.ts';
import type { Database } from './platform/database/database.ts';
import { httpBotCheckProvider } from './platform/http/bot-check.ts';
import type { Integrations } from './platform/http/context.ts';
import { openIdentityProvider } from './platform/integrations/identity-provider.ts';
import { httpPaymentProvider } from './platform/integrations/payment-provider.ts';
import { httpMailGateway, smtpMailGateway, type MailGateway } from './platform/messages/mail.ts';
import { httpSmsGateway } from './platform/messages/sms.ts';

/** Stops one part of the program. The parts stop in the reverse order of their start. */
export type ShutdownStep = () => Promise<unknown>;

/** What the adapters need besides the settings. */
interface IntegrationOptions {
  database: Database;
  portalUrl: string;
  sandboxPort: number;
  /** The sandbox adds its own step at the front. */
  shutdownSteps: ShutdownStep[];
}

interface RunningSandbox {
  /** The address for the server. */
  url: string;
  /** The address for browsers. */
  publicUrl: string;
  key: string;
}

// A server that listens on every address is called on loopback.
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function missingSetting(config: Config, name: string): ConfigError {
  const hint =
    !config.DATABASE_URL && isExposed({ HOST: config.HOST, PUBLIC_URL: undefined })
      ? `. HOST=${config.HOST} turns the sandbox off; SANDBOX=on turns it on`
      : '';
  return new ConfigError(
    `Setting ${name} is missing: without the sandbox the product needs it${hint}`,
  );
}

async function openSandbox(
  config: Config,
  { database, portalUrl, sandboxPort: port, shutdownSteps }: IntegrationOptions,
): Promise<RunningSandbox> {
  const key = await getOrCreateSecret(database, 'sandbox');
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  const sandbox = await startSandbox({
    database,
    host: config.SANDBOX_HOST,
    port,
    portalUrl,
    key,
  });
  shutdownSteps.unshift(() => sandbox.close());
  const portal = new URL(portalUrl);
  return {
    url: `http://${addressOf(config.SANDBOX_HOST)}:${port}`,
    publicUrl: `${portal.protocol}//${portal.hostname}:${port}`,
    key,
  };
}

async function createBotCheck(
  config: Config,
  sandbox: RunningSandbox | undefined,
): Promise<Integrations['botCheck']> {
  if (config.BOT_CHECK === 'off') return undefined;
  if (config.BOT_CHECK_URL === undefined && sandbox) {
    const { sandboxSiteKey } = await import('./sandbox/sandbox-bot-check.ts');
    return {
      provider: httpBotCheckProvider(`${sandbox.url}/bot-check/siteverify`, sandbox.key),
      siteKey: sandboxSiteKey,
      scriptUrl: `${sandbox.publicUrl}/bot-check.js`,
    };
  }
  const getSetting = (
    name: 'BOT_CHECK_URL' | 'BOT_CHECK_SECRET' | 'BOT_CHECK_SITE_KEY' | 'BOT_CHECK_SCRIPT',
  ) => {
    const value = config[name];
    if (value === undefined)
      throw new ConfigError(`Setting ${name} is missing: BOT_CHECK is on and needs it`);
    return value;
  };
  return {
    provider: httpBotCheckProvider(getSetting('BOT_CHECK_URL'), getSetting('BOT_CHECK_SECRET')),
    siteKey: getSetting('BOT_CHECK_SITE_KEY'),
    scriptUrl: getSetting('BOT_CHECK_SCRIPT'),
  };
}

function createMailGateway(config: Config, sandbox: RunningSandbox | undefined): MailGateway {
  if (config.SMTP_URL) return smtpMailGateway(config.SMTP_URL, config.MAIL_FROM);
  if (!sandbox) throw missingSetting(config, 'SMTP_URL');
  return httpMailGateway(sandbox.url, sandbox.key);
}

/**
 * Opens the adapters of all outside systems. A system without an address in the settings is
 * replaced by the sandbox, where the sandbox is on. Throws a `ConfigError` for a missing setting.
 */
export async function openIntegrations(
  config: Config,
  options: IntegrationOptions,
): Promise<Integrations> {
  const sandbox = config.SANDBOX === 'on' ? await openSandbox(config, options) : undefined;
  const getEndpoint = (name: 'PAYMENT_PROVIDER' | 'SMS_GATEWAY') => {
    const url = config[`${name}_URL`] ?? sandbox?.url;
    const key = config[`${name}_URL`] ? config[`${name}_KEY`] : sandbox?.key;
    if (!url || !key) throw missingSetting(config, `${name}_URL`);
    return { url, key };
  };
  const provider = getEndpoint('PAYMENT_PROVIDER');
  const gateway = getEndpoint('SMS_GATEWAY');
  const botCheck = await createBotCheck(config, sandbox);
  const identityProvider = openIdentityProvider(
    config,
    options.portalUrl,
    sandbox && { url: sandbox.url, browserUrl: sandbox.publicUrl, key: sandbox.key },
  );
  return {
    paymentProvider: httpPaymentProvider(provider.url, provider.key),
    sms: httpSmsGateway(gateway.url, gateway.key),
    mail: createMailGateway(config, sandbox),
    ...(botCheck ? { botCheck } : {}),
    ...(identityProvider ? { identityProvider } : {}),
  };
}
