import { statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { connect } from 'node:tls';
import { createClient } from '@redis/client';
import type { Config, FileStoreName } from '#config.ts';
import { openNamedStore } from '#platform/files/open-file-store.ts';
import { openScanner } from '#platform/files/scanner.ts';
import { verifyMailServer } from '#platform/messages/mail.ts';
import { readSealKey } from '#platform/pdf/seal.ts';
import {
  causeOf,
  judgeDays,
  ok,
  problem,
  skipped,
  warning,
  type CheckName,
  type Finding,
} from './finding.ts';

const gigabyte = 1024 ** 3;
const answerMs = 5000;

/** How many bytes are free for this user below a path, and how many there are. */
export async function readDiskSpace(path: string): Promise<{ free: number; all: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, all: blocks * bsize };
}

/** Checks the space of the disk of DATA_DIR. */
export async function checkDisk(
  { DATA_DIR }: Config,
  readSpace: typeof readDiskSpace,
): Promise<Finding> {
  const advice = 'Free space, or move the folder to a larger disk: a full disk refuses documents';
  try {
    const { free, all } = await readSpace(DATA_DIR);
    const percent = Math.floor((free / all) * 100);
    const detail = `${(free / gigabyte).toFixed(1)} GB (${percent} %) are free at ${DATA_DIR}`;
    if (free < gigabyte / 2) return problem('disk', detail, advice);
    return free < 5 * gigabyte && percent < 10
      ? warning('disk', detail, advice)
      : ok('disk', detail);
  } catch (error) {
    return problem(
      'disk',
      `${DATA_DIR} cannot be read (${causeOf(error)})`,
      'Correct DATA_DIR, or start the product once, which makes the folder',
    );
  }
}

/** Checks the events between processes. */
export async function checkRedis({ REDIS_URL: url }: Config): Promise<Finding> {
  if (url === undefined) return skipped('redis', 'REDIS_URL is unset: PostgreSQL carries events');
  const client = createClient({
    url,
    socket: { connectTimeout: answerMs, reconnectStrategy: false },
    disableOfflineQueue: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return ok('redis', 'it answers');
  } catch (error) {
    return problem(
      'redis',
      `it does not answer (${causeOf(error)}); PostgreSQL carries events meanwhile`,
      'Look whether it runs and accepts user and password; correct REDIS_URL',
    );
  } finally {
    if (client.isOpen) client.destroy();
  }
}

async function checkStore(config: Config, name: FileStoreName): Promise<Finding> {
  try {
    const store = await openNamedStore(config, name);
    const content = Buffer.from('doctor');
    const received = await store.receive(Readable.from([content]), content.length);
    await store.discard(received.uploadId);
    return ok('store', `${name} takes documents`);
  } catch (error) {
    return problem(
      'store',
      causeOf(error),
      'docs/operations/integrations.md, "Documents", says what each store needs',
    );
  }
}

/** Checks each store of documents: writes and deletes a small file. */
export const checkStores = (config: Config): Promise<Finding[]> =>
  Promise.all(
    [config.FILE_STORE, config.SECOND_FILE_STORE]
      .filter((name) => name !== undefined)
      .map((name) => checkStore(config, name)),
  );

/** Checks that the mail server accepts a connection and its user, without sending mail. */
export async function checkMail({ SMTP_URL: url }: Config): Promise<Finding> {
  if (url === undefined) return skipped('mail', 'SMTP_URL is unset: the sandbox takes mail');
  try {
    await verifyMailServer(url);
    return ok('mail', 'the server accepts the user of SMTP_URL');
  } catch (error) {
    return problem(
      'mail',
      `the server refuses (${causeOf(error)})`,
      'Look whether the server accepts this machine, user and password; correct SMTP_URL',
    );
  }
}

// The test file that every scanner knows, in two parts: scanners of this machine leave this file alone.
const testFile = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);

/** Checks that the scanner finds the test file of the industry (EICAR). */
export async function checkScanner(config: Config): Promise<Finding> {
  const scanner = openScanner(config);
  if (!scanner)
    return warning(
      'scanner',
      'CLAMD is unset: documents are inspected, but not scanned',
      'docs/operations/integrations.md, "Virus scanner"',
    );
  try {
    const result = await scanner.scan(Readable.from([Buffer.from(testFile)]));
    return result.isClean
      ? problem(
          'scanner',
          'it does not find the test file (EICAR)',
          'Load its signatures: freshclam, and look at the log of clamd',
        )
      : ok('scanner', `it finds the test file (${result.name})`);
  } catch (error) {
    return problem(
      'scanner',
      `it does not answer (${causeOf(error)}); documents wait`,
      'Start clamd, or correct CLAMD',
    );
  }
}

/** Checks that the key of the seal can be used, and the days of its certificate. */
export async function checkSealKey(config: Config, now: number): Promise<Finding> {
  try {
    const key = await readSealKey(config);
    if (!key)
      return config.SANDBOX === 'on'
        ? skipped('seal', 'the sandbox makes a key for demonstration')
        : warning(
            'seal',
            'SEAL_CERTIFICATE_FILE is unset: documents have no seal',
            'docs/operations/integrations.md, "Electronic seal"',
          );
    return judgeDays('seal', 'the certificate of the seal', {
      until: new Date(key.chain[0]?.validTo ?? 0),
      now,
      advice: 'Order a new one, change the files and restart: former documents stay genuine',
    });
  } catch (error) {
    return problem('seal', causeOf(error), 'docs/operations/integrations.md, "Electronic seal"');
  }
}

/** Reads until when the certificate of a server is valid. It may have ended. */
function readCertificateEnd(address: URL): Promise<Date> {
  return new Promise((resolve, reject) => {
    const host = address.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(address.port || 443),
      servername: /^[\d.:]+$/.test(host) ? '' : host,
      // The dates are read, nothing is sent.
      rejectUnauthorized: false,
    });
    socket.setTimeout(answerMs, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new Date(valid_to));
    });
  });
}

/** Checks the days of the certificate of PUBLIC_URL. */
export async function checkCertificate({ PUBLIC_URL }: Config, now: number): Promise<Finding> {
  const check: CheckName = 'certificate';
  if (!PUBLIC_URL?.startsWith('https:'))
    return skipped(check, 'PUBLIC_URL is no address with https');
  try {
    return judgeDays(check, `the certificate of ${PUBLIC_URL}`, {
      until: await readCertificateEnd(new URL(PUBLIC_URL)),
      now,
      advice: 'Renew it at the proxy, and look why it was not renewed by itself',
    });
  } catch (error) {
    return warning(
      check,
      `${PUBLIC_URL} does not answer this machine (${causeOf(error)})`,
      'Look whether the proxy runs; where this machine may not connect to it, nothing is wrong',
    );
  }
}
