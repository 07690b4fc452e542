import { join } from 'node:path';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import { ConfigError, isExposed, type Config } from './config.ts';
import { getOrCreateSecret } from './platform/auth/secrets.store.ts';
import type { Database } from './platform/database/database.ts';
import { httpBotCheckProvider } from './platform/http/bot-check.ts';
import type { Integrations } from './platform/http/context.ts';
import { httpFinesRegister } from './platform/integrations/fines-register.ts';
import { addressOf } from './platform/integrations/http-client.ts';
import { openIdentityProvider } from './platform/integrations/identity-provider.ts';
import { nGenius } from './platform/integrations/n-genius.ts';
import type { PaymentProvider } from './platform/integrations/payment-provider.ts';
import { payPro } from './platform/integrations/paypro.ts';
import { stripe } from './platform/integrations/stripe.ts';
import { httpMailGateway, smtpMailGateway, type MailGateway } from './platform/messages/mail.ts';
import { httpSmsGateway } from './platform/messages/sms.ts';
import type { PaymentSandboxOptions } from './sandbox/payments/payment-sandbox.ts';
import type { RunningPaymentSandbox } from './sandbox/payments/spawn-payment-sandbox.ts';

/** Stops one part of the program. The parts stop in the reverse order of their start. */
export type ShutdownStep = () => Promise<unknown>;

/** What the adapters need besides the settings. */
interface IntegrationOptions {
  database: Database;
  portalUrl: string;
  sandboxPort: number;
  sandboxPaymentsPort: number;
  /** Starts the sandbox of the payment provider, a separate program. */
  startPayments: (options: PaymentSandboxOptions) => Promise<RunningPaymentSandbox>;
  /** The sandboxes add their own steps at the front. */
  shutdownSteps: ShutdownStep[];
}

interface RunningSandbox {
  /** The address for the server. */
  url: string;
  /** The address for browsers. */
  publicUrl: string;
  key: string;
  /** Missing where the settings name a payment provider. */
  payments?: {
    url: string;
    /** Signs the messages of the payment provider. */
    messageSecret: string;
  };
}

function missingSetting(config: Config, name: string): ConfigError {
  const hint =
    !config.DATABASE_URL && isExposed(config)
      ? '. Others can connect (HOST, PUBLIC_URL, TRUST_PROXY), so the sandbox is off; SANDBOX=on turns it on'
      : '';
  return new ConfigError(
    `Setting ${name} is missing: without the sandbox the product needs it${hint}`,
  );
}

async function openSandbox(config: Config, options: IntegrationOptions): Promise<RunningSandbox> {
  const { database, portalUrl, sandboxPort: port, shutdownSteps } = options;
  const { SANDBOX_HOST: host, DATA_DIR } = config;
  const key = await getOrCreateSecret(database, 'sandbox');
  const messageSecret = await getOrCreateSecret(database, 'sandbox-messages');
  const start = config.PAYMENT_PROVIDER_URL ? undefined : options.startPayments;
  const payments = await start?.({
    folder: join(DATA_DIR, 'payment-sandbox'),
    host,
    port: options.sandboxPaymentsPort,
    portalUrl,
    key,
    messageSecret,
  });
  if (payments) shutdownSteps.unshift(() => payments.stop());
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  const { protocol, hostname } = new URL(portalUrl);
  const publicUrlOf = (each: number) => `${protocol}//${hostname}:${each}`;
  const paymentsUrl = payments && publicUrlOf(payments.port);
  const sandbox = await startSandbox({ database, host, port, portalUrl, key, paymentsUrl });
  shutdownSteps.unshift(() => sandbox.close());
  const urlOf = (each: number) => `http://${addressOf(host)}:${each}`;
  return {
    url: urlOf(port),
    publicUrl: publicUrlOf(port),
    key,
    ...(payments ? { payments: { url: urlOf(payments.port), messageSecret } } : {}),
  };
}

// The settings of one provider go together.
function readGroup<Name extends keyof Config>(
  config: Config,
  names: readonly Name[],
): { [Key in Name]: NonNullable<Config[Key]> } | undefined {
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing[0]) throw new ConfigError(`Setting ${missing[0]} is missing: the others are set`);
  return config as { [Key in Name]: NonNullable<Config[Key]> };
}

/** The payment providers that have settings, or accounts in the sandbox. */
function createPaymentProviders(
  config: Config,
  sandbox: RunningSandbox | undefined,
): Map<PaymentProviderName, PaymentProvider> {
  const providers = new Map<PaymentProviderName, PaymentProvider>();
  const ofSandbox = (path: string) =>
    sandbox?.payments && {
      url: `${sandbox.payments.url}${path}`,
      key: sandbox.key,
      messageSecrets: [sandbox.payments.messageSecret],
    };
  const first = readGroup(config, ['PAYMENT_PROVIDER_URL', 'PAYMENT_PROVIDER_KEY']);
  const own = first && {
    url: first.PAYMENT_PROVIDER_URL,
    key: first.PAYMENT_PROVIDER_KEY,
    messageSecrets: config.PAYMENT_PROVIDER_SECRET,
  };
  const main = own ?? ofSandbox('');
  if (main) providers.set('paypro', payPro(main));
  const second = readGroup(config, ['PAYMENT_RESERVE_URL', 'PAYMENT_RESERVE_KEY']);
  const reserve = second
    ? {
        url: second.PAYMENT_RESERVE_URL,
        key: second.PAYMENT_RESERVE_KEY,
        messageSecrets: config.PAYMENT_RESERVE_SECRET,
      }
    : own
      ? undefined
      : ofSandbox('/reserve');
  if (reserve) providers.set('reserve', payPro(reserve));
  const network = readGroup(config, ['N_GENIUS_KEY', 'N_GENIUS_OUTLET', 'N_GENIUS_SECRET']);
  if (network)
    providers.set(
      'n-genius',
      nGenius({
        url: config.N_GENIUS_URL,
        key: network.N_GENIUS_KEY,
        outlet: network.N_GENIUS_OUTLET,
        messageSecrets: network.N_GENIUS_SECRET,
      }),
    );
  const checkout = readGroup(config, ['STRIPE_KEY', 'STRIPE_SECRET']);
  if (checkout)
    providers.set(
      'stripe',
      stripe({
        url: config.STRIPE_URL,
        key: checkout.STRIPE_KEY,
        messageSecrets: checkout.STRIPE_SECRET,
      }),
    );
  if (providers.size === 0) throw missingSetting(config, 'PAYMENT_PROVIDER_URL');
  return providers;
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

function createFinesRegister(
  config: Config,
  sandbox: RunningSandbox | undefined,
): Integrations['finesRegister'] {
  const own = readGroup(config, ['FINES_REGISTER_URL', 'FINES_REGISTER_KEY']);
  if (own) return httpFinesRegister(own.FINES_REGISTER_URL, own.FINES_REGISTER_KEY);
  return sandbox && httpFinesRegister(sandbox.url, sandbox.key);
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
  const paymentProviders = createPaymentProviders(config, sandbox);
  const smsUrl = config.SMS_GATEWAY_URL ?? sandbox?.url;
  const smsKey = config.SMS_GATEWAY_URL ? config.SMS_GATEWAY_KEY : sandbox?.key;
  if (!smsUrl || !smsKey) throw missingSetting(config, 'SMS_GATEWAY_URL');
  const finesRegister = createFinesRegister(config, sandbox);
  const botCheck = await createBotCheck(config, sandbox);
  const identityProvider = openIdentityProvider(
    config,
    options.portalUrl,
    sandbox && { url: sandbox.url, browserUrl: sandbox.publicUrl, key: sandbox.key },
  );
  return {
    paymentProviders,
    sms: httpSmsGateway(smsUrl, smsKey),
    mail: createMailGateway(config, sandbox),
    ...(finesRegister ? { finesRegister } : {}),
    ...(botCheck ? { botCheck } : {}),
    ...(identityProvider ? { identityProvider } : {}),
  };
}
