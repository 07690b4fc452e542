import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { demoPdf } from '#seed/demo-documents.ts';
import { inspectPdfContent } from './inspect-pdf.ts';

const bytesOf = (...parts: (string | Buffer)[]) => {
  const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const bytes = new Uint8Array(whole.length);
  bytes.set(whole);
  return bytes;
};
const ordinary = () => bytesOf(demoPdf('Trade licence'));

// Each string holds all the following objects, so that the work grows with the square of the size.
const slow = () => bytesOf('1 0 obj<</A('.repeat(100_000), ')>>'.repeat(100_000), '%%EOF');

it('a file that takes too long is refused, and the server works meanwhile', async () => {
  let turns = 0;
  let isOver = false;
  const answer = inspectPdfContent(slow(), { milliseconds: 300, megabytes: 256 }).finally(
    () => (isOver = true),
  );
  while (!isOver) {
    turns += 1;
    await nextTurn();
  }
  expect(await answer).toBeUndefined();
  expect(turns).toBeGreaterThan(10);
  expect(await inspectPdfContent(ordinary())).toEqual([]);
});

it('a file that needs too much memory is refused, and the server lives', async () => {
  const names = Array.from({ length: 1_000_000 }, (_, index) => `/N${index} 0`).join(' ');
  const limits = { milliseconds: 60_000, megabytes: 32 };
  expect(await inspectPdfContent(bytesOf(`1 0 obj << ${names} >> endobj`), limits)).toBeUndefined();
  expect(await inspectPdfContent(ordinary(), limits)).toEqual([]);
});

it('a photo of 25 MB needs no memory for objects', async () => {
  const photo = bytesOf(
    '1 0 obj << /Subtype /Image /Filter /DCTDecode >>\nstream\n',
    Buffer.alloc(25_000_000, 'Bytes such as those of a photo. '),
    '\nendstream endobj 2 0 obj << /S /Launch >> endobj',
  );
  expect(await inspectPdfContent(photo, { milliseconds: 60_000, megabytes: 48 })).toEqual([
    'launch',
  ]);
});
