import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../database/database.ts';
import type { BotCheck } from './bot-check.ts';
import type { MessageOutbox } from '../messages/message-outbox.ts';
import type { Sessions } from '../auth/session.ts';

/**
 * What every feature stands on; made once at the start and handed to each. `publicUrl` has no slash
 * at its end.
 */
export interface AppContext {
  server: FastifyInstance;
  config: Config;
  database: Database;
  sessions: Sessions;
  publicUrl: string;
  /** Hands over what `enqueueMessages` wrote down; `wake` is called after the commit. */
  outbox: MessageOutbox;
  /** Missing where no call carries the check. */
  botCheck?: BotCheck;
}
