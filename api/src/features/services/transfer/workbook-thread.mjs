// The entry of a thread, in JavaScript: on Node 20 a thread does not inherit tsx, which runs
// TypeScript. It receives the entries of a catalogue file part by part, and answers the bytes of a
// workbook.
// A port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const parts = [];
const isComplete = new Promise((resolve) => {
  parentPort.on('message', ({ part }) => (part ? parts.push(part) : resolve()));
});
const [{ addPart, emptyFile }, { writeWorkbook }] = await Promise.all([
  import('./check-file.ts'),
  import('./workbook.ts'),
]);
await isComplete;
const entries = emptyFile();
for (const part of parts) addPart(entries, part);
const content = Uint8Array.from(await writeWorkbook(entries.file));
parentPort.postMessage(content, [content.buffer]);
