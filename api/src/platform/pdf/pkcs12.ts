import {
  createDecipheriv,
  createPrivateKey,
  pbkdf2Sync,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { fromBER, type BaseBlock } from 'asn1js';

const oids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  encryptedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
  passwordEncryption: '1.2.840.113549.1.5.13',
  keyDerivation: '1.2.840.113549.1.5.12',
} as const;

const ciphers: Readonly<Record<string, { name: string; keyBytes: number } | undefined>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
};
const hashes: Readonly<Record<string, string | undefined>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/** Why a PKCS #12 file cannot be used, as the end of a sentence. */
export class Pkcs12Problem extends Error {}

interface Block {
  valueBlock?: { value?: unknown; valueHexView?: Uint8Array };
}

function parse(bytes: Uint8Array): BaseBlock {
  const { result, offset } = fromBER(new Uint8Array(bytes));
  if (offset === -1) throw new Pkcs12Problem('it is not a PKCS #12 file');
  return result;
}

function partsOf(block: BaseBlock | undefined): BaseBlock[] {
  const value = (block as Block | undefined)?.valueBlock?.value;
  return Array.isArray(value) ? (value as BaseBlock[]) : [];
}

const bytesOf = (block: BaseBlock | undefined): Buffer =>
  Buffer.from((block as Block | undefined)?.valueBlock?.valueHexView ?? []);
const numberOf = (block: BaseBlock | undefined): number =>
  Number.parseInt(bytesOf(block).toString('hex') || '0', 16);
const oidOf = (block: BaseBlock | undefined): string => /([\d.]+)$/.exec(String(block))?.[1] ?? '';

/** The content of a part that is encrypted with a password. Source: RFC 8018, PBES2. */
function decrypt(algorithm: BaseBlock | undefined, content: Buffer, password: string): Buffer {
  const [scheme, parameters] = partsOf(algorithm);
  const [derivation, encryption] = partsOf(parameters);
  const [derivationName, derived] = partsOf(derivation);
  const [salt, iterations, ...more] = partsOf(derived);
  const [cipherName, initial] = partsOf(encryption);
  const cipher = ciphers[oidOf(cipherName)];
  const hash = hashes[oidOf(partsOf(more.at(-1))[0])] ?? 'sha1';
  if (
    oidOf(scheme) !== oids.passwordEncryption ||
    oidOf(derivationName) !== oids.keyDerivation ||
    !cipher
  )
    throw new Pkcs12Problem(
      'it is encrypted in an old way; write it again with openssl pkcs12 -export of OpenSSL 3',
    );
  const key = pbkdf2Sync(password, bytesOf(salt), numberOf(iterations), cipher.keyBytes, hash);
  try {
    const decipher = createDecipheriv(cipher.name, key, bytesOf(initial));
    return Buffer.concat([decipher.update(content), decipher.final()]);
  } catch {
    throw new Pkcs12Problem('the password is wrong');
  }
}

/** The bags of one part of the file. */
function bagsOf(part: BaseBlock, password: string): BaseBlock[] {
  const [kind, content] = partsOf(part);
  const [inner] = partsOf(content);
  if (oidOf(kind) === oids.data) return partsOf(parse(bytesOf(inner)));
  if (oidOf(kind) !== oids.encryptedData) return [];
  const [, encrypted] = partsOf(inner);
  const [, algorithm, bytes] = partsOf(encrypted);
  return partsOf(parse(decrypt(algorithm, bytesOf(bytes), password)));
}

function readKey(kind: string, value: BaseBlock, passphrase: string): KeyObject {
  const key = Buffer.from(value.toBER(false));
  try {
    return createPrivateKey({
      key,
      format: 'der',
      type: 'pkcs8',
      ...(kind === oids.encryptedKeyBag ? { passphrase } : {}),
    });
  } catch {
    throw new Pkcs12Problem('the password is wrong');
  }
}

/**
 * The key and the certificates of a PKCS #12 file, that of the key first. Its MAC is not checked: the
 * file is the deployment's own, and the key must fit the certificate. Throws Pkcs12Problem. Source:
 * RFC 7292.
 */
export function readPkcs12(
  file: Buffer,
  password: string,
): { key: KeyObject; chain: X509Certificate[] } {
  const [, authenticated] = partsOf(parse(file));
  const [kind, content] = partsOf(authenticated);
  if (oidOf(kind) !== oids.data) throw new Pkcs12Problem('it is not a PKCS #12 file');
  const parts = partsOf(parse(bytesOf(partsOf(content)[0])));
  const certificates: X509Certificate[] = [];
  let key: KeyObject | undefined;
  for (const bag of parts.flatMap((part) => bagsOf(part, password))) {
    const [bagKind, tagged] = partsOf(bag);
    const [value] = partsOf(tagged);
    const name = oidOf(bagKind);
    if (!value) continue;
    if (name === oids.keyBag || name === oids.encryptedKeyBag)
      key ??= readKey(name, value, password);
    if (name === oids.certificateBag)
      certificates.push(new X509Certificate(bytesOf(partsOf(partsOf(value)[1])[0])));
  }
  if (!key) throw new Pkcs12Problem('it has no private key');
  const own = key;
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(own));
  if (!leaf) throw new Pkcs12Problem('it has no certificate of its private key');
  return { key, chain: [leaf, ...certificates.filter((certificate) => certificate !== leaf)] };
}
