// The entry of a thread, in JavaScript: on Node 20 a thread does not inherit tsx, which runs
// TypeScript. It answers the bytes of a catalogue file with its entries, part by part, and then its
// problems. The next part is sent when the server asks for it: a message of the whole file would stop
// the server while it is read.
// A port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { checkFile, partsOf } = await import('./check-file.ts');
try {
  const { problems, problemsCount, ...entries } = await checkFile(
    workerData.content,
    workerData.format,
  );
  for (const part of partsOf(entries)) {
    parentPort.postMessage({ part });
    await once(parentPort, 'message');
  }
  parentPort.postMessage({ problems, problemsCount });
} catch (error) {
  parentPort.postMessage({ unreadable: error.message });
}
parentPort.unref();
