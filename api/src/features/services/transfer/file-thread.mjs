// The entry of a thread, in JavaScript: on Node 20 a thread does not inherit tsx, which runs
// TypeScript. It answers the bytes of a catalogue file with its entries and problems.
// A port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort, workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { checkFile } = await import('./check-file.ts');
let answer;
try {
  answer = await checkFile(workerData.content, workerData.format);
} catch (error) {
  answer = { unreadable: error.message };
}
parentPort.postMessage(answer);
