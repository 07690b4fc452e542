import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { FileReferences } from '../auth/file-references.ts';
import type { Sessions } from '../auth/sessions/sessions.ts';
import type { VerificationCodes } from '../auth/verification-codes.ts';
import type { Database } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Documents } from '../files/document-intake.ts';
import type { FinesRegister } from '../integrations/fines-register.ts';
import type { IdentityProvider } from '../integrations/identity-provider.ts';
import type { PaymentProvider } from '../integrations/payment-provider.ts';
import type { MailGateway } from '../messages/mail.ts';
import type { MessageOutbox } from '../messages/message-outbox.ts';
import type { PushGateway } from '../messages/push.ts';
import type { SmsGateway } from '../messages/sms.ts';
import type { BotCheck, BotCheckOptions } from './bot-check.ts';
import type { PortalConfiguration } from './portal-configuration.ts';
import type { CachedReplies } from './replies/cached-replies.ts';
import type { ReplyCache } from './replies/response-cache.ts';

/** The adapters of the outside systems. */
export interface Integrations {
  /** Those that this deployment may use; at least one. */
  paymentProviders: ReadonlyMap<PaymentProviderName, PaymentProvider>;
  sms: SmsGateway;
  mail: MailGateway;
  /** Missing where the settings name none and the sandbox is off: no service can look up fines. */
  finesRegister?: FinesRegister;
  /** Missing where UAE PASS is switched off. */
  identityProvider?: IdentityProvider;
  /** Missing where the bot check is switched off. */
  botCheck?: Pick<BotCheckOptions, 'provider' | 'siteKey' | 'scriptUrl'>;
}

/**
 * What every feature is given; made once at the start. `publicUrl` is the address of the portal
 * that users see, without a slash at its end.
 */
export interface AppContext {
  server: FastifyInstance;
  /** The configuration of the built portal. */
  configuration: PortalConfiguration;
  /** Whether the process stops soon: it still serves, and `/health/ready` answers 503. */
  isShuttingDown(): boolean;
  /** How many calls this process has refused because more arrived than it can serve. */
  refusedCalls(): number;
  /** The replies that are sent again and again. */
  replies: ReplyCache;
  /** Those of them that are sent without Fastify. */
  cachedReplies: CachedReplies;
  config: Config;
  database: Database;
  notifications: Notifications;
  publicUrl: string;
  integrations: Integrations;
  sessions: Sessions;
  /** Delivers what `enqueueMessages` stored; `wake` is called after the commit. */
  outbox: MessageOutbox;
  push: PushGateway;
  codes: VerificationCodes;
  /** Makes and reads the references to files that `DownloadFile` takes. */
  references: FileReferences;
  documents: Documents;
  /** Missing where no call carries the check. */
  botCheck?: BotCheck;
}

/** Work that runs again and again while the server runs. */
export interface PeriodicJob {
  everySeconds: number;
  /** The job also runs soon after a notification of PostgreSQL on this channel. */
  channel?: string;
  run(): unknown;
}

/** What a feature adds to the server beside its routes. */
export interface Feature {
  jobs?: readonly PeriodicJob[];
  /** Whether an announced file of this feature, given by its id, still waits for its content. */
  isUploadExpected?(id: string): Promise<boolean>;
}
