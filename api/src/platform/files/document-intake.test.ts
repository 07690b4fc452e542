import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openDocumentIntake, type ExpectedFile } from './document-intake.ts';
import type { FileStore } from './stores/file-store.ts';

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

/** A store that has the same PDF for every upload. Reads wait until `open` is called. */
function slowStore() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const [assembled, discarded]: [string[], string[]] = [[], []];
  let [reading, maximum] = [0, 0];
  const files = {
    takeAssembled: async (uploadId: string) => {
      assembled.push(uploadId);
      return { uploadId, version: '', size: smallPdf.length };
    },
    readReceived: async (_file: unknown, { start, end }: { start: number; end: number }) => {
      reading += 1;
      maximum = Math.max(maximum, reading);
      await opened;
      reading -= 1;
      return Readable.from([smallPdf.subarray(start, end + 1)]);
    },
    discard: async (uploadId: string) => void discarded.push(uploadId),
  } as unknown as FileStore;
  return { files, assembled, discarded, open: () => open(), maximum: () => maximum };
}

it('inspects two files at the same time, queues a hundred, and refuses more without changing their uploads', async () => {
  const store = slowStore();
  const intake = openDocumentIntake({ files: store.files, config, keys: () => ['a secret'] });
  const waiting = Array.from({ length: 102 }, (_, index) =>
    intake.takeAssembled(expected(`in-${index}`)),
  );
  await expect.poll(() => store.assembled.length).toBe(102);
  await expect(intake.takeAssembled(expected('late'))).rejects.toMatchObject({
    refusal: 'ServerBusy',
    status: 503,
    params: { retryAfter: 3 },
  });
  await expect(intake.receive(expected('late'), Readable.from([smallPdf]))).rejects.toMatchObject({
    refusal: 'ServerBusy',
  });
  expect([store.assembled.includes('late'), store.discarded, store.maximum()]).toEqual([
    false,
    [],
    2,
  ]);
  store.open();
  expect(
    (await Promise.all(waiting)).every(({ mediaType }) => mediaType === 'application/pdf'),
  ).toBe(true);
  expect((await intake.takeAssembled(expected('late'))).mediaType).toBe('application/pdf');
});

it('does not wait for a scanner with a long queue: the document waits, and a later run scans it', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const files = { read: async () => Readable.from([smallPdf]) } as unknown as FileStore;
  const intake = openDocumentIntake({
    files,
    config,
    keys: () => ['a secret'],
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
