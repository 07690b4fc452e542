// A thread that receives the entries of a catalogue file part by part, and answers the bytes of a
// workbook.
import { parentPort } from 'node:worker_threads';
import { addPart, emptyFile, type FilePart } from './check-file.ts';
import { writeWorkbook } from './workbook.ts';

const entries = emptyFile();
await new Promise<void>((resolve) => {
  parentPort?.on('message', ({ part }: { part?: FilePart }) =>
    part ? addPart(entries, part) : resolve(),
  );
});
const content = Uint8Array.from(await writeWorkbook(entries.file));
parentPort?.postMessage(content, [content.buffer]);
