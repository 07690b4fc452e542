// A thread that receives the entries of a catalogue file part by part, and answers the bytes of a
// workbook.
import { parentPort, workerData } from 'node:worker_threads';
import type { Language } from '@diwan/contract/wire/languages';
import { addPart, emptyFile, type FilePart } from './check-file.ts';
import { writeWorkbook } from './workbook.ts';

const entries = emptyFile();
await new Promise<void>((resolve) => {
  parentPort?.on('message', ({ part }: { part?: FilePart }) =>
    part ? addPart(entries, part) : resolve(),
  );
});
const content = Uint8Array.from(await writeWorkbook(entries.file, workerData as Language));
parentPort?.postMessage(content, [content.buffer]);
