import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { smallPdf } from '../../testing/demo-request.ts';
import { openDocumentIntake, type ExpectedFile } from './document-intake.ts';
import type { FileStore } from './file-store.ts';

const expected = (id: string): ExpectedFile => ({
  id,
  size: smallPdf.length,
  mediaTypes: ['application/pdf'],
  maximumBytes: 1_000_000,
});
const config = {
  DOCUMENT_MEGABYTES: 20,
  DOCUMENT_TYPES: ['application/pdf' as const],
  DOCUMENT_MEGAPIXELS: 50,
  DOCUMENT_REFUSED: [],
  UPLOAD_ADDRESS_SECONDS: 60,
};

/** A store that holds one PDF under every name and reads it only once `open` was called. */
function slowStore() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const [taken, dropped]: [string[], string[]] = [[], []];
  let [reading, most] = [0, 0];
  const files = {
    take: async (part: string) => {
      taken.push(part);
      return { part, version: '', size: smallPdf.length };
    },
    readReceived: async (_file: unknown, { start, end }: { start: number; end: number }) => {
      reading += 1;
      most = Math.max(most, reading);
      await opened;
      reading -= 1;
      return Readable.from([smallPdf.subarray(start, end + 1)]);
    },
    drop: async (part: string) => void dropped.push(part),
  } as unknown as FileStore;
  return { files, taken, dropped, open: () => open(), most: () => most };
}

it('judges two at once, lets a hundred wait, and tells further ones when to come back without touching what they sent', async () => {
  const store = slowStore();
  const intake = openDocumentIntake({ files: store.files, config, secret: 'a secret' });
  const waiting = Array.from({ length: 102 }, (_, index) => intake.take(expected(`in-${index}`)));
  await expect.poll(() => store.taken.length).toBe(102);
  await expect(intake.take(expected('late'))).rejects.toMatchObject({
    refusal: 'ServerBusy',
    status: 503,
    params: { retryAfter: 3 },
  });
  await expect(intake.receive(expected('late'), Readable.from([smallPdf]))).rejects.toMatchObject({
    refusal: 'ServerBusy',
  });
  expect([store.taken.includes('late'), store.dropped, store.most()]).toEqual([false, [], 2]);
  store.open();
  expect(
    (await Promise.all(waiting)).every(({ mediaType }) => mediaType === 'application/pdf'),
  ).toBe(true);
  expect((await intake.take(expected('late'))).mediaType).toBe('application/pdf');
});

it('does not make people wait for a scanner that is far behind: the document waits, and a later round scans it', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const files = { read: async () => Readable.from([smallPdf]) } as unknown as FileStore;
  const intake = openDocumentIntake({
    files,
    config,
    secret: 'a secret',
    scanner: {
      scan: async () => {
        await answered;
        return { isClean: true };
      },
    },
  });
  const first = Array.from({ length: 12 }, (_, index) => intake.scan(`in-${index}`));
  expect(await intake.scan('late')).toBe('waiting');
  answer();
  expect(new Set(await Promise.all(first))).toEqual(new Set(['clean']));
  expect(await intake.scan('late')).toBe('clean');
});
