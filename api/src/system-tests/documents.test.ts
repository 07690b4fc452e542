import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { getCertificatePath, saveCertificateTemplate } from '@diwan/contract/content/certificates';
import { getPayees, getPayeeStatement } from '@diwan/contract/payments/payouts';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { getInvoicePathByRequestId, type InvoiceKind } from '@diwan/contract/requests/payments';
import { submittedRequest } from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import { todayInDubai } from '@diwan/contract/wire/days';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { createTranslator } from '../platform/core/locale-texts.ts';
import { findSystemProgram } from '../testing/programs/system-programs.ts';
import { freeService, openRequestStage, paidService } from '../testing/requests/request-stage.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = useTestApp();
const stage = openRequestStage(app);
/** Users who may not install it do without: other tests verify seals by OpenSSL. */
function findPoppler(): string | undefined {
  try {
    return dirname(findSystemProgram('poppler'));
  } catch {
    return undefined;
  }
}
const poppler = findPoppler();
const run = async (name: 'pdfsig' | 'pdftoppm' | 'pdftotext', args: readonly string[]) =>
  promisify(execFile)(join(poppler ?? '', name), args);

/** Where the documents and their pictures are saved to be looked at; else nowhere. */
const kept = process.env.DOCUMENTS_FOLDER;

const get = async (url: string, username: string, language: Language): Promise<Buffer> => {
  const { statusCode, rawPayload } = await app.server.inject({
    url,
    headers: {
      authorization: `Bearer ${await app.signIn(username)}`,
      'accept-language': language,
    },
  });
  expect(statusCode).toBe(200);
  return rawPayload;
};
const download = (filePath: string, language: Language) =>
  get(`${downloadFile.path}?filePath=${encodeURIComponent(filePath)}`, 'individual', language);

const setLanguage = (requestId: number, language: Language) =>
  app.database.updateTable('requests').set({ language }).where('id', '=', requestId).execute();

/** A paid request, a part of which was refunded by hand. */
async function refunded(language: Language) {
  const { requestId, requestNumber } = await stage.send('individual', paidService);
  await setLanguage(requestId, language);
  await stage.pay(requestId);
  await app.database
    .updateTable('requests')
    .set({ refundable: 5000 })
    .where('id', '=', requestId)
    .execute();
  const id = await app.idOf('admin');
  await app.database
    .insertInto('request_refunds')
    .values({
      request_id: requestId,
      amount: 5000,
      reference: `BANK-${requestId}`,
      recorded_by: id,
      recorder_name: 'Admin',
    })
    .execute();
  return { requestId, requestNumber };
}

interface IssuedDocument {
  name: string;
  bytes: Buffer;
  shown: string[];
  words: string[];
  /** Labels with the value that must follow each. */
  labelled: [string, string][];
}

/** Every document of the product with what its text must hold. */
async function makeDocuments(language: Language) {
  const { requestId, requestNumber } = await refunded(language);
  const { body: record } = await app.callAs('individual', getRequestById, {
    query: { RequestId: requestId },
    language,
  });
  const dirhams = (fils: number) =>
    (fils / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  const labelOf = (noun: 'invoices' | 'certificates', name: string) =>
    createTranslator(noun)(`document.${name}`, language);
  const documents: IssuedDocument[] = [];
  const amounts: Record<InvoiceKind, string> = {
    invoice: dirhams(record.fees.total),
    receipt: dirhams(record.fees.total),
    creditNote: dirhams(5000),
  };
  for (const kind of ['invoice', 'receipt', 'creditNote'] as const) {
    const { body: filePath } = await app.callAs('individual', getInvoicePathByRequestId, {
      query: { RequestId: requestId, Kind: kind },
    });
    documents.push({
      name: kind,
      bytes: await download(filePath, language),
      shown: [requestNumber, amounts[kind]],
      words: [record.serviceName, record.governmentAgency.name],
      labelled: [
        [labelOf('invoices', 'requestNumber'), requestNumber],
        [labelOf('invoices', 'service'), record.serviceName],
        ...(kind === 'receipt'
          ? []
          : [[labelOf('invoices', 'total'), `AED ${amounts[kind]}`] as [string, string]]),
      ],
    });
  }
  const { id: serviceId } = await stage.findService(freeService);
  const title = {
    'ar-EG': 'شهادة تجديد',
    'en-US': 'Certificate of renewal',
    'ur-PK': 'تجدید کا سرٹیفکیٹ',
  };
  const body = {
    'ar-EG': 'تشهد {{agency}} بأن الطلب {{requestNumber}} أنجز.',
    'en-US': '{{agency}} certifies that {{requestNumber}} is done.',
    'ur-PK': '{{agency}} تصدیق کرتا ہے کہ {{requestNumber}} مکمل ہوئی۔',
  };
  await app.database
    .updateTable('services')
    .set({ issues_document: true })
    .where('id', '=', serviceId)
    .execute();
  await app.callAs('admin', saveCertificateTemplate, {
    body: {
      serviceId,
      title,
      body,
      validity: { kind: 'period', count: 1, unit: 'years' },
      isActive: true,
    },
  });
  const certified = await stage.sendAndReceive('individual', freeService);
  await setLanguage(certified.requestId, language);
  await stage.performAction('employee', submittedRequest, { requestId: certified.requestId });
  const { body: completed } = await stage.read('individual', certified.requestId);
  const { body: certificatePath } = await app.callAs('individual', getCertificatePath, {
    query: { RequestId: certified.requestId },
  });
  documents.push({
    name: 'certificate',
    bytes: await download(certificatePath, language),
    shown: [certified.requestNumber],
    words: [title[language]],
    labelled: [
      [labelOf('certificates', 'number'), completed.certificate?.number ?? 'none'],
      [labelOf('certificates', 'validUntil'), dayOf(completed.certificate?.validUntil ?? '')],
    ],
  });
  const { body: payees } = await app.callAs('admin', getPayees, { language });
  const [payee] = payees.filter(({ owed, agencyId }) => owed > 0 && agencyId);
  const today = todayInDubai();
  const query = new URLSearchParams({
    AgencyId: String(payee?.agencyId),
    From: `${today.slice(0, 4)}-01-01`,
    Until: today,
    Format: 'pdf',
  });
  documents.push({
    name: 'statement',
    bytes: await get(`${getPayeeStatement.path}?${query}`, 'admin', language),
    shown: [dirhams(payee?.owed ?? 0)],
    words: [payee?.name ?? ''],
    labelled: [[createTranslator('ledger')('statement.payee', language), payee?.name ?? '']],
  });
  return documents;
}

const dayOf = (day: string) => day.split('-').toReversed().join('/');
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u064B-\u0652\u0670\s\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

it.skipIf(poppler === undefined).each(languages)(
  'every document has the right letters and numbers in reading order, and a seal that finds tampering, by poppler: %s',
  { timeout: 120_000 },
  async (language) => {
    const folder = kept ?? (await mkdtemp(join(tmpdir(), 'diwan-documents-')));
    await mkdir(folder, { recursive: true });
    for (const { name, bytes, shown, words, labelled } of await makeDocuments(language)) {
      const path = join(folder, `${name}-${language}.pdf`);
      await writeFile(path, bytes);
      for (const order of ['-layout', '-raw']) {
        const text = (await run('pdftotext', [order, path, '-'])).stdout;
        for (const each of shown) expect(text, `${name} ${each}`).toContain(each);
        for (const word of words)
          expect(plain(text), `${name} ${word} ${order}`).toContain(plain(word));
        // Columns beside each other are on one line of a layout.
        if (order === '-raw')
          for (const pair of labelled)
            expect(plain(text), `${name} ${pair.join()}`).toContain(plain(pair.join('')));
      }
      const sealed = (await run('pdfsig', [path]).catch((error: { stdout: string }) => error))
        .stdout;
      expect(sealed, name).toContain('Signature is Valid');
      expect(sealed, name).toContain('Total document signed');
      const changed = Buffer.from(bytes);
      // One letter of the metadata, which a reader shows as the title.
      const at = changed.indexOf('<?xpacket') + 3;
      changed.write('X', at, 'latin1');
      const changedPath = join(folder, `${name}-${language}-changed.pdf`);
      await writeFile(changedPath, changed);
      const found = (await run('pdfsig', [changedPath]).catch((error: { stdout: string }) => error))
        .stdout;
      expect(found, name).not.toContain('Signature is Valid');
      expect(found, name).toContain('Digest Mismatch');
      if (kept) await run('pdftoppm', ['-r', '60', '-png', path, path.replace(/\.pdf$/, '')]);
    }
  },
);
