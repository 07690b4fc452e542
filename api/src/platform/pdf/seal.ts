import {
  createHash,
  createPrivateKey,
  generateKeyPair,
  randomBytes,
  sign as signBytes,
  verify as verifyBytes,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BitString,
  Boolean as AsnBoolean,
  Constructed,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as AsnSet,
  UTCTime,
  GeneralizedTime,
  Utf8String,
  type BaseBlock,
} from 'asn1js';
import { ConfigError, type Config } from '#config.ts';
import type { SealState } from '@diwan/contract/requests/payments';
import { Pkcs12Problem, readPkcs12 } from './pkcs12.ts';
import { findSignature, prepareSignature } from './signed-pdf.ts';

/** The key of a seal, its certificate and those above it. All keys are RSA. */
interface SealKey {
  key: KeyObject;
  chain: readonly X509Certificate[];
}

type SealSettings = Pick<
  Config,
  | 'SEAL_CERTIFICATE_FILE'
  | 'SEAL_KEY_FILE'
  | 'SEAL_KEY_PASSWORD'
  | 'SEAL_KEYSTORE_FILE'
  | 'SEAL_KEYSTORE_PASSWORD_FILE'
>;

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  rsa: '1.2.840.113549.1.1.1',
  rsaWithSha256: '1.2.840.113549.1.1.11',
  sha256: '2.16.840.1.101.3.4.2.1',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
} as const;

const sequence = (...value: BaseBlock[]): Sequence => new Sequence({ value });
const set = (...value: BaseBlock[]): AsnSet => new AsnSet({ value });
const oid = (value: string): ObjectIdentifier => new ObjectIdentifier({ value });
const octets = (bytes: Uint8Array): OctetString =>
  new OctetString({ valueHex: new Uint8Array(bytes) });
const explicit = (...value: BaseBlock[]): Constructed =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value });
const der = (block: BaseBlock): Buffer => Buffer.from(block.toBER(false));
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function parse(bytes: Uint8Array): BaseBlock {
  const { result, offset } = fromBER(new Uint8Array(bytes));
  if (offset === -1) throw new Error('The signature cannot be read');
  return result;
}

/** The parts of a sequence or set. */
function partsOf(block: BaseBlock | undefined): BaseBlock[] {
  const value: unknown = (block?.valueBlock as { value?: unknown } | undefined)?.value;
  return Array.isArray(value) ? (value as BaseBlock[]) : [];
}

function issuerAndSerial(certificate: X509Certificate): Sequence {
  const [body] = partsOf(parse(certificate.raw));
  const [, serial, , issuer] = partsOf(body);
  if (!serial || !issuer) throw new Error('The certificate cannot be read');
  return sequence(issuer, serial);
}

/**
 * The signed attributes of PAdES B-B: content type, digest, and the certificate, so that no other one
 * can be put in its place. There is no signing time: the PDF has it. Source: EN 319 122-1, 319 142-1.
 */
function signedAttributes(digest: Buffer, certificate: X509Certificate): AsnSet {
  const attributes = [
    sequence(oid(oids.contentType), set(oid(oids.data))),
    sequence(oid(oids.messageDigest), set(octets(digest))),
    sequence(
      oid(oids.signingCertificateV2),
      set(sequence(sequence(sequence(octets(sha256(certificate.raw)))))),
    ),
  ];
  // DER: the members of a set are in the order of their bytes.
  return set(...attributes.toSorted((a, b) => Buffer.compare(der(a), der(b))));
}

const signAsync = promisify(
  (bytes: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) => {
    signBytes('sha256', bytes, key, done);
  },
);

/** A detached CMS signature over `signed`. RSA (PKCS #1 v1.5): the same input has the same bytes. */
async function makeSignature(signed: Buffer, { key, chain }: SealKey): Promise<Buffer> {
  const [certificate] = chain;
  if (!certificate) throw new Error('The seal has no certificate');
  const attributes = signedAttributes(sha256(signed), certificate);
  const signature = await signAsync(der(attributes), key);
  const algorithm = sequence(oid(oids.sha256), new Null());
  return der(
    sequence(
      oid(oids.signedData),
      explicit(
        sequence(
          new Integer({ value: 1 }),
          set(algorithm),
          sequence(oid(oids.data)),
          explicit(...chain.map(({ raw }) => parse(raw))),
          set(
            sequence(
              new Integer({ value: 1 }),
              issuerAndSerial(certificate),
              algorithm,
              explicit(...partsOf(attributes)),
              sequence(oid(oids.rsa), new Null()),
              octets(signature),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The certificate, signed attributes and signature of a CMS signature with one signer. */
function readSignature(bytes: Buffer) {
  const [, content] = partsOf(parse(bytes));
  const [signedData] = partsOf(content);
  const [, , , certificates, signers] = partsOf(signedData);
  const [leaf] = partsOf(certificates);
  const [signer, another] = partsOf(signers);
  const [, , , attributes, , signature] = partsOf(signer);
  if (!leaf || !signature || !attributes || another) throw new Error('The signature is incomplete');
  return {
    certificate: new X509Certificate(der(leaf)),
    attributes: der(set(...partsOf(attributes))),
    signature: Buffer.from((signature as OctetString).valueBlock.valueHexView),
  };
}

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
  let read: ReturnType<typeof readSignature>;
  try {
    read = readSignature(found.signature);
  } catch {
    return 'unknown';
  }
  const { certificate, attributes, signature } = read;
  // guard: owner of a seal (sealed-pdfs)
  if (!(await isOurs(certificate.fingerprint256))) return 'unknown';
  const expected = der(signedAttributes(sha256(found.signed), certificate));
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
  try {
    // A file of a secret usually ends with a line break.
    const read = readPkcs12(file, password.replace(/\r?\n$/, ''));
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

const demoName = 'Diwan demonstration seal, not for official use';

/** A key and a certificate that it signs itself, for the demo. */
async function makeDemoKey(): Promise<string> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
  });
  const named = (type: string, value: string) =>
    set(sequence(oid(type), new Utf8String({ value })));
  const name = sequence(named(oids.organization, 'Diwan'), named(oids.commonName, demoName));
  const algorithm = sequence(oid(oids.rsaWithSha256), new Null());
  const extension = (type: string, value: BaseBlock) =>
    sequence(oid(type), new AsnBoolean({ value: true }), octets(der(value)));
  // Digital signature and content commitment, as bits from the left.
  const usage = new BitString({ valueHex: new Uint8Array([0xc0]), unusedBits: 6 });
  const body = sequence(
    explicit(new Integer({ value: 2 })),
    new Integer({ valueHex: new Uint8Array([0x01, ...randomBytes(15)]) }),
    algorithm,
    name,
    sequence(
      // Documents of the demo can be older than its key.
      new UTCTime({ valueDate: new Date('2025-01-01T00:00:00Z') }),
      new GeneralizedTime({ valueDate: new Date('2055-01-01T00:00:00Z') }),
    ),
    name,
    parse(publicKey.export({ type: 'spki', format: 'der' })),
    new Constructed({
      idBlock: { tagClass: 3, tagNumber: 3 },
      value: [
        sequence(extension(oids.basicConstraints, sequence()), extension(oids.keyUsage, usage)),
      ],
    }),
  );
  const signature = new BitString({
    valueHex: new Uint8Array(await signAsync(der(body), privateKey)),
  });
  const certificate = new X509Certificate(der(sequence(body, algorithm, signature)));
  return `${String(privateKey.export({ type: 'pkcs8', format: 'pem' }))}${certificate.toString()}`;
}

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
  await writeFile(draft, await makeDemoKey(), { mode: 0o600, flag: 'wx' });
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
  let opened: Promise<SealKey> | undefined;
  const open = async (): Promise<SealKey> => {
    const key = given ?? (await demoKey(DATA_DIR));
    if (key.chain[0]) await remember(key.chain[0]);
    return key;
  };
  return {
    async seal(pdf, at) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const key = await opened;
      const name = /^CN=(.*)$/m.exec(key.chain[0]?.subject ?? '')?.[1] ?? 'Seal';
      // The certificates, the signature, and the rest of the message.
      const sizes = [...key.chain.map(({ raw }) => raw.length), 1024, 1024];
      const roomBytes = sizes.reduce((sum, size) => sum + size, 0);
      const prepared = prepareSignature(pdf, { name, at, roomBytes });
      return prepared.withSignature(await makeSignature(prepared.signed, key));
    },
  };
}
