import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBER } from 'asn1js';
import { ContentInfo, SignedData } from 'pkijs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPdfMaker } from './make-pdf.ts';
import { checkSeal, openSeal, readSealKey } from './seal.ts';
import { findSignature } from './signed-pdf.ts';

let folder = '';
let other = '';
let pdf: Buffer = Buffer.alloc(0);
const at = new Date('2026-11-24T08:00:00Z');
const ours = new Set<string>();
const remember = (certificate: { fingerprint256: string }) => {
  ours.add(certificate.fingerprint256);
  return Promise.resolve();
};
const check = (file: Buffer) => checkSeal(file, (each) => Promise.resolve(ours.has(each)));
const openDemo = (DATA_DIR: string, known = remember) => {
  const seal = openSeal(undefined, { DATA_DIR, SANDBOX: 'on' }, known);
  if (!seal) throw new Error('no seal');
  return seal;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-seal-'));
  other = await mkdtemp(join(tmpdir(), 'diwan-seal-'));
  const template = join(folder, 'page.typ');
  await writeFile(
    template,
    '#set document(title: "ختم", date: auto)\n#sys.inputs.data #pagebreak()',
  );
  pdf = await openPdfMaker().make({
    template: new URL(`file://${template}`),
    data: 'Seal',
    createdAt: at,
  });
});
afterAll(() => Promise.all([folder, other].map((each) => rm(each, { recursive: true }))));

/** What pkijs, another program, says about the signature and the certificate in it. */
async function verifyByPkijs(file: Buffer): Promise<boolean> {
  const found = findSignature(file);
  if (!found) throw new Error('no signature');
  const message = fromBER(new Uint8Array(found.signature)).result;
  const signed = new SignedData({ schema: new ContentInfo({ schema: message }).content });
  const [signer] = signed.signerInfos;
  expect(signer?.signedAttrs?.attributes.map(({ type }) => type)).toEqual([
    '1.2.840.113549.1.9.3',
    '1.2.840.113549.1.9.4',
    '1.2.840.113549.1.9.16.2.47',
  ]);
  return signed
    .verify({ signer: 0, data: new Uint8Array(found.signed).buffer, checkChain: false })
    .catch(() => false);
}

describe('a sealed document', () => {
  it('is genuine for another program too, and has the same bytes each time', async () => {
    const sealed = await openDemo(folder).seal(pdf, at);
    expect(sealed.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect([await check(sealed), await verifyByPkijs(sealed)]).toEqual(['genuine', true]);
    expect(sealed.toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached');
    // Another process with the same folder.
    expect((await openDemo(folder).seal(pdf, at)).equals(sealed)).toBe(true);
    expect((await stat(join(folder, 'seal-demo.pem'))).mode & 0o077).toBe(0);
  });

  it('is found to be changed wherever a byte differs', async () => {
    const sealed = await openDemo(folder).seal(pdf, at);
    const room = sealed.indexOf('/Contents <') + '/Contents '.length;
    const end = sealed.indexOf('>', room);
    const places = [20, Math.floor(pdf.length / 2), pdf.length + 30, end + 5, sealed.length - 3];
    for (const place of places) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect([place, await check(changed)]).toEqual([place, 'changed']);
      expect(await verifyByPkijs(changed)).toBe(false);
    }
    // A later revision of the file, and bytes that are hidden behind the signature.
    expect(await check(Buffer.concat([sealed, Buffer.from('\n% more')]))).toBe('changed');
    const hidden = Buffer.from(sealed);
    hidden.write('41', end - 2, 'latin1');
    expect(await check(hidden)).toBe('changed');
    // The last byte of the signature itself: everything that it covers is as it was.
    const broken = Buffer.from(sealed);
    const last = room + 1 + (findSignature(sealed)?.signature.length ?? 0) * 2 - 1;
    broken.write(broken[last] === 0x30 ? '1' : '0', last, 'latin1');
    expect(await check(broken)).toBe('changed');
  });

  it('of another key is unknown', async () => {
    const forged = await openDemo(other, () => Promise.resolve()).seal(pdf, at);
    expect([await check(forged), await verifyByPkijs(forged)]).toEqual(['unknown', true]);
    for (const file of [pdf, Buffer.from(''), Buffer.from('/ByteRange [0 1 2 3]'), Buffer.alloc(9)])
      expect(await check(file)).toBe('unknown');
    const hostile = `/ByteRange [0 10 999999999 999999999] /Contents <${'0'.repeat(90)}>`;
    expect(await check(Buffer.from(hostile))).toBe('unknown');
    expect(await check(Buffer.from('/ByteRange [0 20 24 1]   <30>'))).toBe('unknown');
  });

  it('is valid for pdfsig where it is installed', async () => {
    const path = join(folder, 'sealed.pdf');
    const sealed = await openDemo(folder).seal(pdf, at);
    const run = async (file: Buffer): Promise<string> => {
      await writeFile(path, file);
      return new Promise((resolve) => {
        execFile('pdfsig', [path], (error, output) =>
          resolve(error && 'code' in error && error.code === 'ENOENT' ? '' : output),
        );
      });
    };
    const valid = await run(sealed);
    if (valid === '') return;
    expect(valid).toMatch(/Signature is Valid/);
    expect(valid).toMatch(/Total document signed/);
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    expect(await run(sealed)).toMatch(/Digest Mismatch/);
  });
});

describe('the key', () => {
  it('of the settings seals; a wrong one is refused with the name of its setting', async () => {
    const demo = await readFile(join(folder, 'seal-demo.pem'), 'utf8');
    const certificate = '-----BEGIN CERTIFICATE';
    const start = demo.indexOf(certificate);
    const paths = [join(folder, 'key.pem'), join(folder, 'certificate.pem')] as const;
    await writeFile(paths[0], demo.slice(0, start));
    await writeFile(paths[1], demo.slice(start));
    const [SEAL_KEY_FILE, SEAL_CERTIFICATE_FILE] = paths;
    const key = await readSealKey({ SEAL_KEY_FILE, SEAL_CERTIFICATE_FILE });
    const sealed = await openSeal(key, { DATA_DIR: other, SANDBOX: 'off' }, remember)?.seal(
      pdf,
      at,
    );
    expect(sealed && (await check(sealed))).toBe('genuine');
    const another = await readFile(join(other, 'seal-demo.pem'), 'utf8');
    await writeFile(join(other, 'key.pem'), another.slice(0, another.indexOf(certificate)));
    await writeFile(join(other, 'text.pem'), 'no key');
    for (const [wrong, message] of [
      [{ SEAL_KEY_FILE }, /SEAL_CERTIFICATE_FILE is missing/],
      [{ SEAL_CERTIFICATE_FILE }, /SEAL_KEY_FILE is missing/],
      [{ SEAL_KEY_FILE: join(other, 'key.pem'), SEAL_CERTIFICATE_FILE }, /SEAL_CERTIFICATE_FILE/],
      [{ SEAL_KEY_FILE: join(other, 'text.pem'), SEAL_CERTIFICATE_FILE }, /SEAL_KEY_FILE cannot/],
      [{ SEAL_KEY_FILE, SEAL_CERTIFICATE_FILE: '/none.pem' }, /SEAL_CERTIFICATE_FILE.*none.pem/],
    ] as const)
      await expect(readSealKey(wrong)).rejects.toThrow(message);
  });

  it('is read from PKCS #12 with the password of a secret file', async () => {
    const demo = await readFile(join(folder, 'seal-demo.pem'), 'utf8');
    const [pem, p12, old, secret, wrongSecret] = [
      'seal.pem',
      'seal.p12',
      'old.p12',
      'secret',
      'no',
    ].map((name) => join(folder, name)) as [string, string, string, string, string];
    await writeFile(pem, demo);
    await writeFile(secret, 'ä long secret\n');
    await writeFile(wrongSecret, 'another secret');
    const write = (path: string, ...more: string[]) =>
      new Promise<void>((resolve, reject) => {
        const options = ['-export', '-in', pem, '-out', path, '-passout', `file:${secret}`];
        execFile('openssl', ['pkcs12', ...options, ...more], (error) =>
          error ? reject(error) : resolve(),
        );
      });
    await write(p12);
    await write(old, '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES');
    const settings = { SEAL_KEYSTORE_FILE: p12, SEAL_KEYSTORE_PASSWORD_FILE: secret };
    const key = await readSealKey(settings);
    const sealed = await openSeal(key, { DATA_DIR: other, SANDBOX: 'off' }, remember)?.seal(
      pdf,
      at,
    );
    // The same key as in PEM: the same bytes.
    expect(sealed?.equals(await openDemo(folder).seal(pdf, at))).toBe(true);
    for (const [wrong, message] of [
      [{ ...settings, SEAL_KEYSTORE_PASSWORD_FILE: wrongSecret }, /the password is wrong/],
      [{ SEAL_KEYSTORE_FILE: p12 }, /the password is wrong/],
      [{ ...settings, SEAL_KEYSTORE_PASSWORD_FILE: '/none' }, /SEAL_KEYSTORE_PASSWORD_FILE.*none/],
      [{ ...settings, SEAL_KEYSTORE_FILE: '/none' }, /SEAL_KEYSTORE_FILE.*none/],
      [{ ...settings, SEAL_KEYSTORE_FILE: pem }, /it is not a PKCS #12 file/],
      [{ ...settings, SEAL_KEYSTORE_FILE: old }, /encrypted in an old way/],
      [{ ...settings, SEAL_KEY_FILE: pem }, /SEAL_KEY_FILE is set too/],
      [{ SEAL_KEYSTORE_PASSWORD_FILE: secret }, /SEAL_KEYSTORE_FILE is missing/],
    ] as const)
      await expect(readSealKey(wrong)).rejects.toThrow(message);
  });

  it('is needed outside of the sandbox', async () => {
    expect(await readSealKey({})).toBeUndefined();
    expect(openSeal(undefined, { DATA_DIR: folder, SANDBOX: 'off' }, remember)).toBeUndefined();
  });
});
