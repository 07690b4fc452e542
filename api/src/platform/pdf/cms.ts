import { createHash, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import {
  BitString,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as AsnSet,
  Utf8String,
} from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  id_BasicConstraints,
  id_KeyUsage,
  IssuerAndSerialNumber,
  RelativeDistinguishedNames,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  Time,
  TimeType,
} from 'pkijs';

/** The key of a seal, its certificate and those above it. All keys are RSA. */
export interface SealKey {
  key: KeyObject;
  chain: readonly X509Certificate[];
}

// PKCS #1 v1.5: the same input has the same bytes.
const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const oids = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  rsa: '1.2.840.113549.1.1.1',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
} as const;

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const octets = (bytes: Uint8Array): OctetString =>
  new OctetString({ valueHex: new Uint8Array(bytes) });

/**
 * The signed attributes of PAdES B-B in the order of DER: content type, digest, and the certificate,
 * so that no other one can be put in its place. There is no signing time: the PDF has it. Source: EN
 * 319 122-1, 319 142-1.
 */
function attributesOf(signed: Buffer, certificate: Uint8Array): SignedAndUnsignedAttributes {
  const id = new Sequence({ value: [octets(sha256(certificate))] });
  const ids = new Sequence({ value: [new Sequence({ value: [id] })] });
  return new SignedAndUnsignedAttributes({
    type: 0,
    attributes: [
      new Attribute({
        type: oids.contentType,
        values: [new ObjectIdentifier({ value: ContentInfo.DATA })],
      }),
      new Attribute({ type: oids.messageDigest, values: [octets(sha256(signed))] }),
      new Attribute({ type: oids.signingCertificateV2, values: [ids] }),
    ],
  });
}

/** The bytes that the signature over `signed` by this certificate must sign (DER). */
export function signedAttributes(signed: Buffer, certificate: X509Certificate): Buffer {
  const bytes = Buffer.from(attributesOf(signed, certificate.raw).toSchema().toBER());
  // They are signed as a set, and stored with a separate tag. Source: RFC 5652, 5.4.
  bytes[0] = 0x31;
  return bytes;
}

/** Opens the making of detached CMS signatures (DER). The same input has the same bytes. */
export async function openSigner({
  key,
  chain,
}: SealKey): Promise<(signed: Buffer) => Promise<Buffer>> {
  const certificates = chain.map(({ raw }) => Certificate.fromBER(new Uint8Array(raw)));
  const [certificate] = certificates;
  const [own] = chain;
  if (!certificate || !own) throw new Error('The seal has no certificate');
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const privateKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  return async (signed) => {
    const signer = new SignerInfo({
      version: 1,
      sid: new IssuerAndSerialNumber({
        issuer: certificate.issuer,
        serialNumber: certificate.serialNumber,
      }),
      signedAttrs: attributesOf(signed, own.raw),
    });
    const message = new SignedData({
      encapContentInfo: new EncapsulatedContentInfo({ eContentType: ContentInfo.DATA }),
      certificates,
      signerInfos: [signer],
    });
    await message.sign(privateKey, 0, algorithm.hash);
    // The name without the digest, which all readers of CMS know. Source: RFC 3370, 3.2.
    signer.signatureAlgorithm = new AlgorithmIdentifier({
      algorithmId: oids.rsa,
      algorithmParams: new Null(),
    });
    const content = message.toSchema(true);
    const info = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content });
    return Buffer.from(info.toSchema().toBER());
  };
}

/**
 * The certificate, signed attributes and signature of a CMS signature with one signer. Throws where it
 * cannot be read.
 */
export function readSignature(bytes: Buffer): {
  certificate: X509Certificate;
  attributes: Buffer;
  signature: Buffer;
} {
  const info = ContentInfo.fromBER(new Uint8Array(bytes));
  const { certificates, signerInfos } = new SignedData({ schema: info.content });
  const [certificate] = certificates ?? [];
  const [signer, another] = signerInfos;
  if (!(certificate instanceof Certificate) || !signer?.signedAttrs || another)
    throw new Error('The signature is incomplete');
  return {
    certificate: new X509Certificate(Buffer.from(certificate.toSchema().toBER())),
    attributes: Buffer.from(signer.signedAttrs.encodedValue),
    signature: Buffer.from(signer.signature.getValue()),
  };
}

/** A key and a certificate of this name that it signs itself, in PEM. */
export async function makeSelfSigned(commonName: string): Promise<string> {
  const { privateKey, publicKey } = await webcrypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  // Digital signature and content commitment, as bits from the left.
  const usage = new BitString({ valueHex: new Uint8Array([0xc0]), unusedBits: 6 });
  // One set for each part: pkijs would write them all into one.
  const part = (type: string, value: string) =>
    new AsnSet({
      value: [new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }).toSchema()],
    });
  const parts = [part(oids.organization, 'Demonstration'), part(oids.commonName, commonName)];
  const name = RelativeDistinguishedNames.fromBER(new Sequence({ value: parts }).toBER());
  const certificate = new Certificate({
    issuer: name,
    subject: name,
    version: 2,
    serialNumber: new Integer({ valueHex: new Uint8Array([0x01, ...randomBytes(15)]) }),
    // Documents of the demo can be older than its key.
    notBefore: new Time({ value: new Date('2025-01-01T00:00:00Z') }),
    notAfter: new Time({ type: TimeType.GeneralizedTime, value: new Date('2055-01-01T00:00:00Z') }),
    extensions: [
      [id_BasicConstraints, new BasicConstraints().toSchema()] as const,
      [id_KeyUsage, usage] as const,
    ].map(([extnID, value]) => new Extension({ extnID, critical: true, extnValue: value.toBER() })),
  });
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, algorithm.hash);
  const made = new X509Certificate(Buffer.from(certificate.toSchema(true).toBER()));
  return `${String(KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }))}${made.toString()}`;
}
