import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { OctetString } from 'asn1js';
import {
  AuthenticatedSafe,
  CertBag,
  Certificate,
  ContentInfo,
  EncryptedData,
  PBES2Params,
  PBKDF2Params,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeContents,
  type AlgorithmIdentifier,
  type SafeBag,
} from 'pkijs';

const oids = { pbes2: '1.2.840.113549.1.5.13', pbkdf2: '1.2.840.113549.1.5.12' } as const;

/** OpenSSL does 2048 rounds for a part; this many take a few seconds. */
const maximumRounds = 5_000_000;

const wrong = 'the password is wrong or the file is damaged';

/** Why a PKCS #12 file cannot be used, as the end of a sentence. */
export class Pkcs12Problem extends Error {}

/** Errors of pkijs and of ciphers become this problem: they say nothing that helps a person. */
async function orProblem<T>(problem: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Pkcs12Problem ? error : new Pkcs12Problem(problem);
  }
}

/** The rounds that the key of an encrypted part takes. Only PBES2 with PBKDF2 is read. Source: RFC 8018. */
function roundsOf({ algorithmId, algorithmParams }: AlgorithmIdentifier): number {
  const derivation =
    algorithmId === oids.pbes2
      ? new PBES2Params({ schema: algorithmParams }).keyDerivationFunc
      : undefined;
  if (derivation?.algorithmId !== oids.pbkdf2)
    throw new Pkcs12Problem(
      'it is encrypted in an old way; write it again with openssl pkcs12 -export of OpenSSL 3',
    );
  const rounds = new PBKDF2Params({ schema: derivation.algorithmParams }).iterationCount;
  // A number of more than four bytes is 0 here.
  return rounds > 0 ? rounds : Number.POSITIVE_INFINITY;
}

/** Adds up the rounds of the parts of a file. Throws Pkcs12Problem for one that would take long. */
function countRounds(): (algorithm: AlgorithmIdentifier) => void {
  let rounds = 0;
  return (algorithm) => {
    rounds += roundsOf(algorithm);
    if (rounds > maximumRounds)
      throw new Pkcs12Problem(`its encryption has more than ${maximumRounds} rounds`);
  };
}

/**
 * The key and the certificates of a PKCS #12 file, that of the key first. Its MAC is not checked: the
 * file is the deployment's own, and the key must fit the certificate. Throws Pkcs12Problem. Source:
 * RFC 7292.
 */
export async function readPkcs12(
  file: Buffer,
  passphrase: string,
): Promise<{ key: KeyObject; chain: X509Certificate[] }> {
  const password = new Uint8Array(Buffer.from(passphrase, 'utf8')).buffer;
  const addRounds = countRounds();
  const parts = await orProblem('it is not a PKCS #12 file', () => {
    const { content } = PFX.fromBER(new Uint8Array(file)).authSafe;
    if (!(content instanceof OctetString)) throw new Error('It is signed instead of encrypted');
    return AuthenticatedSafe.fromBER(content.getValue()).safeContents;
  });
  const bags = await orProblem(wrong, async () => {
    const found: SafeBag[] = [];
    for (const { contentType, content } of parts) {
      let bytes: ArrayBuffer | undefined;
      if (contentType === ContentInfo.ENCRYPTED_DATA) {
        const encrypted = new EncryptedData({ schema: content });
        addRounds(encrypted.encryptedContentInfo.contentEncryptionAlgorithm);
        bytes = await encrypted.decrypt({ password });
      } else if (content instanceof OctetString) bytes = content.getValue();
      if (bytes) found.push(...SafeContents.fromBER(bytes).safeBags);
    }
    return found;
  });
  const values = bags.map(({ bagValue }) => bagValue);
  const key = await orProblem(wrong, () => {
    const bag = values.find(
      (each) => each instanceof PrivateKeyInfo || each instanceof PKCS8ShroudedKeyBag,
    );
    if (!bag) throw new Pkcs12Problem('it has no private key');
    if (bag instanceof PKCS8ShroudedKeyBag) addRounds(bag.encryptionAlgorithm);
    const bytes = Buffer.from(bag.toSchema().toBER());
    return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8', passphrase });
  });
  const certificates = await orProblem('one of its certificates cannot be read', () =>
    values
      .filter((value) => value instanceof CertBag)
      .map(({ parsedValue }) => parsedValue)
      .filter((value) => value instanceof Certificate)
      .map((value) => new X509Certificate(Buffer.from(value.toSchema().toBER()))),
  );
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (!leaf) throw new Pkcs12Problem('it has no certificate of its private key');
  return { key, chain: [leaf, ...certificates.filter((certificate) => certificate !== leaf)] };
}
