import { createECDH } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import webPush from 'web-push';
import type { Config } from '#config.ts';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { pushKeys } from '../auth/secrets.ts';
import type { Database } from '../database/database.ts';
import { IntegrationError } from '../integrations/http-client.ts';
import { isKnownPushService, lookUpPublic } from './push-services.ts';
import { deleteSubscription, findSubscription } from './push.store.ts';

/** The browser shows no messages any more; another attempt is useless. */
export class RecipientGone extends Error {}

/** A message to a browser. `link` is a path of the portal. */
interface PushMessage {
  language: Language;
  title: string;
  text: string;
  link: string;
}

/** Sends messages to browsers. */
export interface PushGateway {
  /** The public key of this portal in base64url. */
  publicKey: string;
  /** Whether messages may be sent to an endpoint. */
  isAccepted(endpoint: string): boolean;
  /**
   * Sends a message to the browser of a subscription. Every attempt at one message has the same
   * `messageId`, so that the browser shows it once. Throws RecipientGone, an IntegrationError, or
   * another error when the push service cannot be reached within five seconds.
   */
  send(subscriptionId: string, message: PushMessage, messageId: string): Promise<void>;
}

const timeoutMs = 5000;
// A push service keeps a message this long for a browser that is not connected.
const keptSeconds = 24 * 3600;
/** The curve of both ends' keys. Source: RFC 8291 §2, RFC 8292 §2. */
export const pushCurve = 'prime256v1';
// What every push service accepts in one record: 4096 bytes with salt, sizes, key and tag. Source:
// RFC 8030 §7.2, RFC 8188 §2.
/** The longest message in bytes. */
export const maximumPushBytes = 4096 - (16 + 4 + 1 + 65) - 16 - 1;
const goneStatuses = [404, 410];
const otherKeyStatuses = [401, 403];

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** What the service worker reads: `web/public/push-worker.js`. */
function payloadOf({ language, title, text, link }: PushMessage, messageId: string): Buffer {
  const write = (length: number) =>
    Buffer.from(
      JSON.stringify({
        title: cut(title, 200),
        body: cut(text, length),
        lang: language.slice(0, 2),
        dir: directionOf(language),
        url: link,
        tag: messageId,
      }),
    );
  const whole = write(800);
  return whole.length <= maximumPushBytes ? whole : write(200);
}

interface Sent {
  headers: Record<string, string>;
  body: Buffer | null;
}

// Without redirects. The host of a setting that is a whole origin may be private.
function post(endpoint: string, { headers, body }: Sent, isOwnOrigin: boolean): Promise<number> {
  const url = new URL(endpoint);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(
      url,
      {
        method: 'POST',
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...(isOwnOrigin ? {} : { lookup: lookUpPublic }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

/** Who runs this portal, for the push services: the setting, else the sender of mail. */
function contactOf({ WEB_PUSH_CONTACT: contact, MAIL_FROM }: Config): string {
  return contact ?? `mailto:${/<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}

/** Opens the gateway to the push services. All processes share its key. */
export async function openPush(database: Database, config: Config): Promise<PushGateway> {
  const keys = await pushKeys(database, config);
  // They sign who sends, RFC 8292; the keys of a browser encrypt what it gets, RFC 8291.
  const vapidOf = (key: Buffer) => {
    const own = createECDH(pushCurve);
    own.setPrivateKey(key);
    return {
      subject: contactOf(config),
      publicKey: own.getPublicKey('base64url'),
      privateKey: own.getPrivateKey('base64url'),
    };
  };
  const services = config.WEB_PUSH_SERVICES;
  return {
    get publicKey() {
      return vapidOf(keys()[0] ?? Buffer.alloc(0)).publicKey;
    },
    isAccepted: (endpoint) => isKnownPushService(endpoint, services),
    async send(subscriptionId, message, messageId) {
      const found = await findSubscription(database, subscriptionId);
      if (!found) throw new RecipientGone('no subscription');
      const { endpoint } = found;
      if (!isKnownPushService(endpoint, services))
        throw new IntegrationError('push service', 422, ', not in WEB_PUSH_SERVICES');
      const { origin } = new URL(endpoint);
      const sendWith = (key: Buffer) => {
        // The library would send to any address: it encrypts and signs, and `post` sends.
        const sent = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh: found.public_key, auth: found.secret } },
          payloadOf(message, messageId),
          {
            vapidDetails: vapidOf(key),
            TTL: keptSeconds,
            // A repeated attempt replaces the first one: RFC 8030 §5.4.
            topic: Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url'),
          },
        );
        return post(endpoint, sent, services.includes(origin));
      };
      let status = 0;
      // A subscription accepts the key under which its browser asked for it: RFC 8292 §4.2.
      for (const key of keys()) {
        status = await sendWith(key);
        if (!otherKeyStatuses.includes(status)) break;
      }
      if (goneStatuses.includes(status)) {
        await deleteSubscription(database, subscriptionId);
        throw new RecipientGone(`${origin} answered ${status}`);
      }
      if (status < 200 || status > 299) throw new IntegrationError(origin, status);
    },
  };
}
