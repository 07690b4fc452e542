import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSystemProgram } from '#testing/programs/system-programs.ts';
import { openPdfMaker } from './make-pdf.ts';
import { checkSeal, openSeal, readSealKey } from './seal.ts';
import { findSignature, prepareSignature } from './signed-pdf.ts';

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

const openssl = findSystemProgram('openssl');
const runOpenssl = async (...args: (string | string[])[]): Promise<string> =>
  (await promisify(execFile)(openssl, args.flat())).stdout;

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

/**
 * Whether OpenSSL, which shares no code with pkijs, finds the signature good: the digest, the
 * signature, and the attribute that names the certificate. `authority` is the PEM file of the
 * certificates that it trusts.
 */
async function verifyByOpenssl(file: Buffer, authority: string): Promise<boolean> {
  const found = findSignature(file);
  if (!found) throw new Error('no signature');
  const [message, content] = [join(folder, 'message.der'), join(folder, 'content.bin')] as const;
  await writeFile(message, found.signature);
  await writeFile(content, found.signed);
  const input = ['-inform', 'DER', '-in', message];
  const printed = await runOpenssl('cms', '-cmsout', '-print', '-noout', ...input);
  const attributes = printed.slice(
    printed.indexOf('signedAttrs'),
    printed.indexOf('unsignedAttrs'),
  );
  expect([...attributes.matchAll(/object: .* \(([\d.]+)\)$/gm)].map(([, oid]) => oid)).toEqual([
    '1.2.840.113549.1.9.3',
    '1.2.840.113549.1.9.4',
    '1.2.840.113549.1.9.16.2.47',
  ]);
  return runOpenssl(
    ['cms', '-verify', '-cades', '-binary', '-purpose', 'any', ...input, '-content', content],
    ['-CAfile', authority, '-out', join(folder, 'verified.bin')],
  ).then(
    () => true,
    () => false,
  );
}
const demoPem = () => join(folder, 'seal-demo.pem');

/** A PDF of one page, sealed with a key of the demo by the first release that had seals. */
const sealedBefore = {
  fingerprint:
    '94:B1:49:02:13:7C:B2:2F:3E:D3:CE:C5:83:65:B6:20:83:AD:B7:D1:70:F4:E3:69:A2:88:C3:19:FA:15:75:AA',
  signature: [
    'MIIFjQYJKoZIhvcNAQcCoIIFfjCCBXoCAQExDzANBglghkgBZQMEAgEFADALBgkqhkiG9w0BBwGgggNCMIIDPjCCAi',
    'agAwIBAgIQAfK6B+NWqR2lc5dX4SGQZzANBgkqhkiG9w0BAQsFADBJMQ4wDAYDVQQKDAVEaXdhbjE3MDUGA1UEAwwu',
    'RGl3YW4gZGVtb25zdHJhdGlvbiBzZWFsLCBub3QgZm9yIG9mZmljaWFsIHVzZTAgFw0yNTAxMDEwMDAwMDBaGA8yMD',
    'U1MDEwMTAwMDAwMFowSTEOMAwGA1UECgwFRGl3YW4xNzA1BgNVBAMMLkRpd2FuIGRlbW9uc3RyYXRpb24gc2VhbCwg',
    'bm90IGZvciBvZmZpY2lhbCB1c2UwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQC/fz15q1NvsGM351DD41',
    '8efVpkkEiRZPQFZwIBBtvr5RTtjjGYzeB49OPw2zFOzISSZuZl3vrLlH/eHkQOqdQVzZqBU6Kw5BZw1QsGvd/JOfTZ',
    'qvQvMAX9Hpu2Qf0jZ/x0EC3/w75Ym2jdvTPPcwe+K/6eMx1FVShVmqxCEWM0E36Z6OGTUs7lDThtS5NAfRc8qC48xT',
    'Z2DQ6dvLEqU8Oo/xh1rrPOPtaS8na0x59WwBHvtmXLcKoSHMbVlAYYQDYb90nI9W6Q3G5y+fgqx57LB6OCD1Q4ieRz',
    'D+fNtliLs21ufiYuMVTTH+NYK/tV0PdZam7qOaWC3EMmYa1CormbAgMBAAGjIDAeMAwGA1UdEwEB/wQCMAAwDgYDVR',
    '0PAQH/BAQDAgbAMA0GCSqGSIb3DQEBCwUAA4IBAQBzZRlV003X81fPgV5W8TslZr1ivqo1GTf48XOkczEno+sJ6TgZ',
    'qF183ZLBVqOdpdRudbTvsMf9OXZxopQmRqplB0sRFCPf7LUcH/voXn++DekMUthXFc//Z/4QUT+WL5RNMwbqfsBM6b',
    '0WUrE+3YSSzGV62SsL7ixON5M+MHbAEsv3yIjoh2HbGSssP/DD98ppwLGPLIydnTKdXJ1FPNQF8eB2mTy+IeJsTCAJ',
    'EouRnV8U1BuAMVDM7j3j0s2h8qdcOpzWPSrx1LEnnrjZXeoR39/Ed2J7fA5EYwmI8i+NMCam9vQjWgtqlQltOdicws',
    'pbbLCniU9seZOqiJBleV2XMYICDzCCAgsCAQEwXTBJMQ4wDAYDVQQKDAVEaXdhbjE3MDUGA1UEAwwuRGl3YW4gZGVt',
    'b25zdHJhdGlvbiBzZWFsLCBub3QgZm9yIG9mZmljaWFsIHVzZQIQAfK6B+NWqR2lc5dX4SGQZzANBglghkgBZQMEAg',
    'EFAKCBhDAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMC8GCSqGSIb3DQEJBDEiBCBX9YGczFJAiGvHTRCpEJeBv5kx',
    'rmu2kxu3L00M/wfPUDA3BgsqhkiG9w0BCRACLzEoMCYwJDAiBCCUsUkCE3yyLz7TzsWDZbYgg6230XD042miiMMZ+h',
    'V1qjANBgkqhkiG9w0BAQEFAASCAQCItidjlfsbndZ34pGpQlb7kDoWh0kUeSa7/2s/3DMXAMHROuylTWZH/iRmf+U2',
    'y9O4+RT+7WXU224Up4t9ILF7G3dtHmVXLMAlErtY/pbp8p8g/GdHIykSYuEejcqJ2NKPSGIk+7UN36riW0yGfOA37e',
    '1dBoqmit9FRG5AiVzahI6nM3c6NzVfc2HscFAEQWKqKPupyLN3ltOYp/JhGTeBs+0vqlBn2Y5mYOnsM6JCRl4YNe4W',
    'NQkbHAjTK+0OZtEOdzUeGKDSAt8P68Wspf/Z6xdNz/R5HWSusk9Grl4gfCzhbsM2T+DLndtYTqNzrU2WCbwrrkUeMl',
    'GYHCFOstxc',
  ].join(''),
  pdf(): Buffer {
    const objects = [
      '/Type /Catalog /Pages 2 0 R',
      '/Type /Pages /Kids [3 0 R] /Count 1',
      '/Type /Page /Parent 2 0 R',
      '/Title (Seal)',
    ];
    let text = '%PDF-1.7\n';
    const table = objects.map((each, index) => {
      const line = `${String(text.length).padStart(10, '0')} 00000 n \n`;
      text += `${index + 1} 0 obj\n<<${each}>>\nendobj\n`;
      return line;
    });
    return Buffer.from(
      `${text}xref\n0 5\n0000000000 65535 f \n${table.join('')}` +
        `trailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    );
  },
};

describe('a sealed document', () => {
  it('is genuine for another program too, and has the same bytes each time', async () => {
    const sealed = await openDemo(folder).seal(pdf, at);
    expect(sealed.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect([await check(sealed), await verifyByOpenssl(sealed, demoPem())]).toEqual([
      'genuine',
      true,
    ]);
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
      expect(await verifyByOpenssl(changed, demoPem())).toBe(false);
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
    expect(await check(forged)).toBe('unknown');
    expect(await verifyByOpenssl(forged, join(other, 'seal-demo.pem'))).toBe(true);
    expect(await verifyByOpenssl(forged, demoPem())).toBe(false);
    for (const file of [pdf, Buffer.from(''), Buffer.from('/ByteRange [0 1 2 3]'), Buffer.alloc(9)])
      expect(await check(file)).toBe('unknown');
    const hostile = `/ByteRange [0 10 999999999 999999999] /Contents <${'0'.repeat(90)}>`;
    expect(await check(Buffer.from(hostile))).toBe('unknown');
    for (const bytes of ['', '30', '3082', '308201'])
      expect(
        await check(Buffer.from(`/ByteRange [0 25 ${27 + bytes.length} 0]   <${bytes}>`)),
      ).toBe('unknown');
  });

  it('of a key that was replaced stays genuine beside those of the next one', async () => {
    const former = await openDemo(folder).seal(pdf, at);
    const third = await mkdtemp(join(tmpdir(), 'diwan-seal-'));
    const next = await openDemo(third).seal(pdf, at);
    expect(await verifyByOpenssl(next, demoPem())).toBe(false);
    expect([await check(former), await check(next)]).toEqual(['genuine', 'genuine']);
    await rm(third, { recursive: true });
  });

  it('of a former release stays genuine', async () => {
    const { fingerprint, signature, pdf: plain } = sealedBefore;
    const name = 'Diwan demonstration seal\\, not for official use';
    const prepared = prepareSignature(plain(), { name, at, roomBytes: 2882 });
    const sealed = prepared.withSignature(Buffer.from(signature, 'base64'));
    const known = (each: string) => Promise.resolve(each === fingerprint);
    expect(await checkSeal(sealed, known)).toBe('genuine');
    sealed[12] = (sealed[12] ?? 0) ^ 1;
    expect(await checkSeal(sealed, known)).toBe('changed');
  });

  it('of a hostile structure is unknown, soon', async () => {
    const wrap = (tag: number, content: Buffer) =>
      Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]), content]);
    const signedData = Buffer.from('06092a864886f70d010702', 'hex');
    const fill = (hex: string, times: number) => wrap(0x30, Buffer.from(hex.repeat(times), 'hex'));
    const messages = [
      fill('0500', 30_000),
      fill('3080', 30_000),
      fill('30020500', 16_000),
      wrap(0x30, Buffer.concat([signedData, wrap(0xa0, fill('3000', 4_900))])),
      wrap(0x30, Buffer.concat([signedData, wrap(0xa0, fill('3080', 30_000))])),
    ];
    const begun = performance.now();
    for (const message of messages) {
      const room = `<${message.toString('hex')}>`;
      const start = '/ByteRange [0 60 ';
      const file = `${start}${60 + room.length} 0]`.padEnd(60, ' ') + room;
      expect(findSignature(Buffer.from(file))?.signature).toHaveLength(message.length);
      expect(await check(Buffer.from(file))).toBe('unknown');
    }
    expect(performance.now() - begun).toBeLessThan(5_000);
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
      runOpenssl(
        ['pkcs12', '-export', '-in', pem, '-out', path, '-passout', `file:${secret}`],
        ...more,
      );
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

  it('is that of a PKCS #12 file with each usual encryption, and with the certificates above', async () => {
    const [authority, leaf, file, secret] = ['authority', 'leaf', 'kinds.p12', 'kinds'].map(
      (name) => join(folder, name),
    ) as [string, string, string, string];
    const newKey = ['-newkey', 'rsa:2048', '-nodes', '-utf8'];
    const root = ['-x509', '-days', '3650', '-subj', '/O=Authority/CN=هيئة'];
    await runOpenssl('req', ...root, ...newKey, '-keyout', `${authority}.key`, '-out', authority);
    await runOpenssl(
      ['req', ...newKey, '-keyout', `${leaf}.key`, '-out', leaf, '-subj', '/O=Diwan/CN=ختم'],
      ['-x509', '-days', '3000', '-CA', authority, '-CAkey', `${authority}.key`],
      ['-addext', 'basicConstraints=critical,CA:FALSE'],
    );
    const export12 = (password: string, ...more: string[]) =>
      runOpenssl(
        ['pkcs12', '-export', '-in', leaf, '-inkey', `${leaf}.key`, '-certfile', authority],
        ['-out', file, '-passout', `pass:${password}`, ...more],
      );
    const settings = { SEAL_KEYSTORE_FILE: file, SEAL_KEYSTORE_PASSWORD_FILE: secret };
    const subjects: unknown[] = [];
    for (const [password, ...more] of [
      ['سر ä', '-iter', '100000'],
      ['secret', '-keypbe', 'AES-128-CBC', '-certpbe', 'AES-192-CBC', '-macalg', 'sha512'],
      ['secret', '-keypbe', 'NONE', '-certpbe', 'NONE', '-nomac'],
      [''],
    ] as [string, ...string[]][]) {
      await export12(password, ...more);
      await writeFile(secret, password);
      const key = await readSealKey(settings);
      subjects.push(key?.chain.map(({ subject }) => subject));
      const seal = openSeal(key, { DATA_DIR: other, SANDBOX: 'off' }, remember);
      const sealed = await seal?.seal(pdf, at);
      if (!sealed) throw new Error('no seal');
      expect([await check(sealed), await verifyByOpenssl(sealed, authority)]).toEqual([
        'genuine',
        true,
      ]);
    }
    for (const each of subjects) expect(each).toEqual(['O=Diwan\nCN=ختم', 'O=Authority\nCN=هيئة']);
    expect(subjects).toHaveLength(4);
  });

  it('is refused soon where the PKCS #12 file is hostile or broken', async () => {
    const [pem, file, secret] = ['seal-demo.pem', 'hostile.p12', 'hostile'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const settings = { SEAL_KEYSTORE_FILE: file, SEAL_KEYSTORE_PASSWORD_FILE: secret };
    const password = 'a secret of this test';
    await writeFile(secret, password);
    const export12 = async (...more: string[]) => {
      await runOpenssl([
        'pkcs12',
        '-export',
        '-in',
        pem,
        '-out',
        file,
        '-passout',
        `pass:${password}`,
        ...more,
      ]);
      return readFile(file);
    };
    const read = async (bytes: Buffer): Promise<string> => {
      await writeFile(file, bytes);
      return readSealKey(settings).then(
        () => 'read',
        (error: Error) => {
          expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(password);
          return error.message;
        },
      );
    };
    // 70,000 rounds, a number of three bytes, for the certificates, the key and the MAC.
    const slow = await export12('-iter', '70000');
    const rounds = Buffer.from('0203011170', 'hex');
    const [first, second] = [slow.indexOf(rounds), slow.indexOf(rounds, slow.indexOf(rounds) + 1)];
    for (const place of [first, second])
      for (const many of ['7fffff', '000000', 'ffffff']) {
        const changed = Buffer.from(slow);
        changed.write(many, place + 2, 'hex');
        const begun = performance.now();
        expect(await read(changed)).toMatch(/more than 5000000 rounds/);
        expect(performance.now() - begun).toBeLessThan(2_000);
      }
    expect(await read(slow)).toBe('read');
    expect(await read(await export12('-nokeys'))).toMatch(/it has no private key/);
    expect(await read(Buffer.from('3080'.repeat(5000), 'hex'))).toMatch(/not a PKCS #12 file/);
    expect(await read(Buffer.alloc(0))).toMatch(/not a PKCS #12 file/);
    const whole = await export12();
    for (const length of [20, 500, whole.length - 1])
      expect(await read(whole.subarray(0, length))).toMatch(/not a PKCS #12 file/);
    // A byte that the MAC alone covers may differ; no other error than that of the setting comes.
    for (let place = 0; place < whole.length; place += 23) {
      const broken = Buffer.from(whole);
      broken[place] = (broken[place] ?? 0) ^ 0xff;
      expect(await read(broken)).toMatch(/^read$|^Setting SEAL_KEYSTORE_FILE cannot be used: /);
    }
    // Only RSA of 2048 bits or more seals.
    for (const kind of ['rsa:1024', 'ec']) {
      const [weak, weakKey] = [join(folder, 'weak'), join(folder, 'weak.key')];
      const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
      const options = kind.startsWith('rsa') ? ['-newkey', kind] : curve;
      await runOpenssl(
        ['req', '-x509', '-nodes', '-subj', '/CN=Weak', ...options],
        ['-keyout', weakKey, '-out', weak],
      );
      await runOpenssl(
        ['pkcs12', '-export', '-in', weak, '-inkey', weakKey, '-out', file],
        ['-passout', `pass:${password}`],
      );
      expect(await read(await readFile(file))).toMatch(/must be RSA of 2048 bits or more/);
    }
  });

  it('of the demo has a certificate that says what it is for', async () => {
    const extensions = ['-ext', 'basicConstraints,keyUsage'];
    const names = ['-noout', '-subject', '-issuer', '-dates', ...extensions];
    const printed = await runOpenssl('x509', '-in', demoPem(), ...names);
    const name = 'O = Demonstration, CN = "Demonstration seal, not for official use"';
    for (const line of [
      `subject=${name}`,
      `issuer=${name}`,
      'notBefore=Jan  1 00:00:00 2025 GMT',
      'notAfter=Jan  1 00:00:00 2055 GMT',
      'X509v3 Basic Constraints: critical',
      'CA:FALSE',
      'X509v3 Key Usage: critical',
      'Digital Signature, Non Repudiation',
    ])
      expect(printed).toContain(line);
    const serial = new X509Certificate(await readFile(demoPem())).serialNumber;
    expect(serial).toMatch(/^01[\dA-F]{30}$/);
    expect(await runOpenssl('verify', '-CAfile', demoPem(), demoPem())).toContain('OK');
  });

  it('is needed outside of the sandbox', async () => {
    expect(await readSealKey({})).toBeUndefined();
    expect(openSeal(undefined, { DATA_DIR: folder, SANDBOX: 'off' }, remember)).toBeUndefined();
  });
});
