import {
  createPrivateKey,
  randomBytes,
  verify as verifyBytes,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Config } from '#config.ts';
import type { SealState } from '@diwan/contract/requests/payments';
import type { SealKey } from './cms.ts';
import { findSignature, prepareSignature } from './signed-pdf.ts';

type SealSettings = Pick<
  Config,
  | 'SEAL_CERTIFICATE_FILE'
  | 'SEAL_KEY_FILE'
  | 'SEAL_KEY_PASSWORD'
  | 'SEAL_KEYSTORE_FILE'
  | 'SEAL_KEYSTORE_PASSWORD_FILE'
>;

// pkijs takes 100 ms and 10 MB: it is loaded by the first document, or by a start with PKCS #12.
const loadCms = () => import('./cms.ts');

/**
 * Whether a file is as this portal sealed it. `isOurs` says whether a certificate, given by its
 * fingerprint (SHA-256), is or was one of this portal. Reads hostile files too.
 */
export async function checkSeal(
  pdf: Buffer,
  isOurs: (fingerprint: string) => Promise<boolean>,
): Promise<SealState> {
  const found = findSignature(pdf);
  if (!found) return 'unknown';
  const { readSignature, signedAttributes } = await loadCms();
  let read: ReturnType<typeof readSignature>;
  try {
    read = readSignature(found.signature);
  } catch {
    return 'unknown';
  }
  const { certificate, attributes, signature } = read;
  // guard: owner of a seal (sealed-pdfs)
  if (!(await isOurs(certificate.fingerprint256))) return 'unknown';
  const expected = signedAttributes(found.signed, certificate);
  const isGenuine =
    // guard: seal over the whole file (sealed-pdfs)
    found.coversFile &&
    // guard: digest that a seal covers (sealed-pdfs)
    expected.equals(attributes) &&
    // guard: signature of a seal (sealed-pdfs)
    verifyBytes('sha256', attributes, certificate.publicKey, signature);
  return isGenuine ? 'genuine' : 'changed';
}

const wrongSetting = (name: string, reason: string): ConfigError =>
  new ConfigError(`Setting ${name} cannot be used: ${reason}`);
const readSetting = (name: string, path: string): Promise<Buffer> =>
  readFile(path).catch(() => Promise.reject(wrongSetting(name, `${path} cannot be read`)));

/** Throws a ConfigError unless the key can seal; `name` is its setting. */
function requireRsa(key: KeyObject, name: string): void {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < 2048)
    throw wrongSetting(name, 'the key must be RSA of 2048 bits or more');
}

async function readPkcs12Key(path: string, passwordPath: string | undefined): Promise<SealKey> {
  const password = passwordPath
    ? (await readSetting('SEAL_KEYSTORE_PASSWORD_FILE', passwordPath)).toString('utf8')
    : '';
  const file = await readSetting('SEAL_KEYSTORE_FILE', path);
  const { Pkcs12Problem, readPkcs12 } = await import('./pkcs12.ts');
  try {
    // A file of a secret usually ends with a line break.
    const read = await readPkcs12(file, password.replace(/\r?\n$/, ''));
    requireRsa(read.key, 'SEAL_KEYSTORE_FILE');
    return read;
  } catch (error) {
    if (!(error instanceof Pkcs12Problem)) throw error;
    throw wrongSetting('SEAL_KEYSTORE_FILE', `${error.message} (SEAL_KEYSTORE_PASSWORD_FILE)`);
  }
}

/** Reads the key and the certificates of the settings. Throws a ConfigError. */
export async function readSealKey(settings: SealSettings): Promise<SealKey | undefined> {
  const { SEAL_CERTIFICATE_FILE, SEAL_KEY_FILE, SEAL_KEY_PASSWORD: passphrase } = settings;
  const { SEAL_KEYSTORE_FILE, SEAL_KEYSTORE_PASSWORD_FILE } = settings;
  if (SEAL_KEYSTORE_FILE && (SEAL_CERTIFICATE_FILE || SEAL_KEY_FILE))
    throw wrongSetting('SEAL_KEYSTORE_FILE', 'SEAL_KEY_FILE is set too; use one of them');
  if (SEAL_KEYSTORE_PASSWORD_FILE && !SEAL_KEYSTORE_FILE)
    throw new ConfigError('Setting SEAL_KEYSTORE_FILE is missing: its password is set');
  if (SEAL_KEYSTORE_FILE) return readPkcs12Key(SEAL_KEYSTORE_FILE, SEAL_KEYSTORE_PASSWORD_FILE);
  if (!SEAL_CERTIFICATE_FILE && !SEAL_KEY_FILE) return undefined;
  if (!SEAL_KEY_FILE)
    throw new ConfigError('Setting SEAL_KEY_FILE is missing: SEAL_CERTIFICATE_FILE needs it');
  if (!SEAL_CERTIFICATE_FILE)
    throw new ConfigError('Setting SEAL_CERTIFICATE_FILE is missing: SEAL_KEY_FILE needs it');
  const certificates = await readSetting('SEAL_CERTIFICATE_FILE', SEAL_CERTIFICATE_FILE);
  const chain = readCertificates(certificates.toString('utf8'));
  const text = (await readSetting('SEAL_KEY_FILE', SEAL_KEY_FILE)).toString('utf8');
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: text, ...(passphrase ? { passphrase } : {}) });
  } catch {
    throw wrongSetting(
      'SEAL_KEY_FILE',
      'it must hold a private key in PEM, with SEAL_KEY_PASSWORD',
    );
  }
  requireRsa(key, 'SEAL_KEY_FILE');
  if (!chain[0]?.checkPrivateKey(key))
    throw wrongSetting(
      'SEAL_CERTIFICATE_FILE',
      'its first certificate must be that of SEAL_KEY_FILE',
    );
  return { key, chain };
}

function readCertificates(pem: string): X509Certificate[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((each) => new X509Certificate(each));
}

const demoName = 'Demonstration seal, not for official use';

/** The key of the demo in DATA_DIR. Of several processes that make it, one wins. */
async function demoKey(dataDir: string): Promise<SealKey> {
  const path = join(dataDir, 'seal-demo.pem');
  const read = async (): Promise<SealKey> => {
    const pem = await readFile(path, 'utf8');
    return { key: createPrivateKey(pem), chain: readCertificates(pem) };
  };
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const { makeSelfSigned } = await loadCms();
  await writeFile(draft, await makeSelfSigned(demoName), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return read();
}

/** Seals documents with the key of this deployment. */
interface Seal {
  /** Seals a PDF that Typst made; `at` is the claimed time. The same input has the same bytes. */
  seal(pdf: Buffer, at: Date): Promise<Buffer>;
}

/**
 * Opens the seal: with `given`, else with a key of the demo that is made at the first document.
 * Undefined outside of the sandbox without a key: documents are then not sealed. `remember` is
 * called with the certificate before the first document.
 */
export function openSeal(
  given: SealKey | undefined,
  { DATA_DIR, SANDBOX }: Pick<Config, 'DATA_DIR' | 'SANDBOX'>,
  remember: (certificate: X509Certificate) => Promise<void>,
): Seal | undefined {
  if (!given && SANDBOX === 'off') return undefined;
  const open = async () => {
    const key = given ?? (await demoKey(DATA_DIR));
    if (key.chain[0]) await remember(key.chain[0]);
    const { openSigner } = await loadCms();
    // The certificates, the signature, and the rest of the message.
    const sizes = [...key.chain.map(({ raw }) => raw.length), 1024, 1024];
    return {
      name: /^CN=(.*)$/m.exec(key.chain[0]?.subject ?? '')?.[1] ?? 'Seal',
      roomBytes: sizes.reduce((sum, size) => sum + size, 0),
      sign: await openSigner(key),
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async seal(pdf, at) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const { name, roomBytes, sign } = await opened;
      const prepared = prepareSignature(pdf, { name, at, roomBytes });
      return prepared.withSignature(await sign(prepared.signed));
    },
  };
}
