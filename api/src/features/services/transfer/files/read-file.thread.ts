// A thread that answers the bytes of a catalogue file with its entries, part by part, and then its
// problems. The next part is sent when the server asks for it: a message of the whole file would stop
// the server while it is read.
import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { Refusal } from '#platform/core/refusals.ts';
import type { CatalogueFormat } from '@diwan/contract/catalogue/transfer';
import { checkFile, partsOf } from './check-file.ts';

const port = parentPort as MessagePort;
const { content, format } = workerData as { content: Uint8Array; format: CatalogueFormat };
try {
  const { problems, problemsCount, ...entries } = await checkFile(content, format);
  for (const part of partsOf(entries)) {
    port.postMessage({ part });
    await once(port, 'message');
  }
  port.postMessage({ problems, problemsCount });
} catch (error) {
  port.postMessage({
    refused: error instanceof Refusal ? error.refusal : 'CatalogueFileUnreadable',
  });
}
port.unref();
