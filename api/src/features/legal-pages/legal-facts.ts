import { createTranslator, findTranslation, type TextValues } from '#platform/core/locale-texts.ts';
import type { AppContext } from '#platform/http/context.ts';
import { portalDetails } from '#platform/portal/portal-details.ts';
import type { LegalFact } from '@diwan/contract/content/legal-text';
import { storedIn, type StoragePlace } from '@diwan/contract/portal/browser-storage';
import { urgentMinutes } from '@diwan/contract/staff/urgent-reading';
import { callAnswerHours } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';

const texts = createTranslator('legal');

export type FactsContext = Pick<AppContext, 'config' | 'configuration' | 'integrations'>;

// What an administrator has written cannot become a link or a cell of a table.
const plain = (text: string) => text.replace(/[[\]|\n]/g, ' ').trim();

function contactOf({ configuration }: FactsContext, language: Language): string | undefined {
  const file = (configuration.content()['support'] ?? {}) as Record<string, unknown>;
  const { supportEmail = file['email'], supportPhone = file['phone'] } = portalDetails();
  const linkTo = (scheme: string, value: unknown) =>
    typeof value === 'string' && value !== ''
      ? [`[${plain(value)}](${scheme}${plain(value).replace(/[\s()]/g, '')})`]
      : [];
  const ways = [...linkTo('mailto:', supportEmail), ...linkTo('tel:', supportPhone)];
  return ways.length === 0
    ? undefined
    : new Intl.ListFormat(language, { type: 'disjunction' }).format(ways);
}

/** Who receives data on behalf of the portal, one a line, as this process is set up. */
function processorsOf(context: FactsContext, language: Language): string {
  const { config, integrations } = context;
  const line = (name: string, values: TextValues = {}) =>
    `- ${texts(`facts.processors.${name}`, language, values)}`;
  const namesOf = (names: readonly string[]) => new Intl.ListFormat(language).format(names);
  const providers = [...integrations.paymentProviders.keys()].map(
    (name) => findTranslation('payment-desk', `providers.${name}`, language) ?? name,
  );
  return [
    line('payment', { names: namesOf(providers) }),
    line(config.SMTP_URL ? 'mail' : 'mailSandbox'),
    line(config.SMS_GATEWAY_URL ? 'sms' : 'smsSandbox'),
    line('push', {
      names: namesOf(config.WEB_PUSH_SERVICES.map((host) => host.replace(/^\./, ''))),
    }),
    ...(integrations.identityProvider ? [line('uaePass')] : []),
    ...(integrations.botCheck ? [line('botCheck')] : []),
    line(config.FILE_STORE),
  ].join('\n');
}

function sealOf({ config }: FactsContext): string {
  if (config.SEAL_CERTIFICATE_FILE ?? config.SEAL_KEYSTORE_FILE) return 'facts.seal.own';
  return config.SANDBOX === 'on' ? 'facts.seal.sandbox' : 'facts.seal.none';
}

/** What the portal stores in a place of the browser, as the table of a text. */
function storedTable(
  place: StoragePlace,
  language: Language,
  lasting: (seconds: number) => string,
) {
  const word = (name: string) => texts(`facts.storedTable.${name}`, language);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = storedIn(place).map(({ key, name, lasts, by, isNeeded }) =>
    row([
      `\`${name.replace('*', '…')}\``,
      texts(`facts.stored.${key}`, language),
      typeof lasts === 'number' ? lasting(lasts) : word(lasts),
      word(by),
      word(isNeeded ? 'needed' : 'optional'),
    ]),
  );
  return [row(['name', 'purpose', 'duration', 'setBy', 'necessity'].map(word)), ...rows].join('\n');
}

/**
 * What legal texts can name, in a language: from the settings and the details of the portal. Undefined:
 * this deployment does not have it.
 */
export function legalFactsIn(
  context: FactsContext,
  language: Language,
): Record<LegalFact, string | undefined> {
  const { config, integrations } = context;
  const days = (count: number) => texts('facts.days', language, { count });
  const minutes = (count: number) =>
    count >= 120 && count % 60 === 0
      ? texts('facts.hours', language, { count: count / 60 })
      : texts('facts.minutes', language, { count });
  const seconds = (count: number) =>
    count % 86_400 === 0 ? days(count / 86_400) : minutes(Math.ceil(count / 60));
  return {
    contact: contactOf(context, language),
    draftPeriod: days(config.DRAFT_DAYS),
    answerPeriod: minutes(callAnswerHours * 60),
    loosePeriod: days(config.UNUSED_ATTACHMENT_DAYS),
    messagePeriod: days(config.MESSAGE_DAYS),
    notificationPeriod: days(config.NOTIFICATION_DAYS),
    searchPeriod: days(config.SEARCH_LOG_DAYS),
    sessionPeriod: minutes(Math.ceil(config.SESSION_SECONDS / 60)),
    idlePeriod: minutes(config.SESSION_IDLE_MINUTES),
    idleStaffPeriod: minutes(config.SESSION_IDLE_MINUTES_STAFF),
    filePeriod: minutes(Math.ceil(config.FILE_REFERENCE_SECONDS / 60)),
    paymentPeriod: minutes(config.PAYMENT_EXPIRY_MINUTES),
    complaintPeriod: texts('facts.workingDays', language, { count: config.COMPLAINT_WORKING_DAYS }),
    complaintKeeping: days(config.COMPLAINT_DAYS),
    refundPeriod: texts('facts.workingDays', language, { count: config.REFUND_WORKING_DAYS }),
    undoPeriod: texts('facts.seconds', language, { count: config.UNDO_SECONDS }),
    accessPeriod: minutes(config.READ_NOTE_MINUTES),
    urgentPeriod: minutes(urgentMinutes),
    readers: texts(`facts.readers.${config.READERS_SHOWN}`, language),
    scanning: texts(config.CLAMD ? 'facts.scanning.on' : 'facts.scanning.off', language),
    seal: texts(sealOf(context), language),
    processors: processorsOf(context, language),
    uaePass: integrations.identityProvider && 'UAE PASS',
    botCheckStorage: integrations.botCheck && texts('facts.botCheckStorage', language),
    cookies: storedTable('cookie', language, seconds),
    deviceStorage: storedTable('local', language, seconds),
    tabStorage: storedTable('session', language, seconds),
    workers: storedTable('worker', language, seconds),
  };
}
