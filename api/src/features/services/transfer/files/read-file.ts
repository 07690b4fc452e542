import { Refusal } from '#platform/core/refusals.ts';
import { startThread } from '#platform/core/start-thread.ts';
import type { CatalogueFormat } from '@diwan/contract/catalogue/transfer';
import type { RefusalName } from '@diwan/contract/wire/errors';
import { addPart, emptyFile, type CheckedFile, type FilePart } from './check-file.ts';

/** What the thread sends: the entries in parts, and then the problems. */
type Answer =
  | { part: FilePart }
  | Pick<CheckedFile, 'problems' | 'problemsCount'>
  | { refused: RefusalName };

// A workbook of 10,000 services takes seconds and some hundred megabytes. The limit counts objects
// only; buffers are limited by the unpacked size of a workbook, which `readWorkbook` checks first.
const maximumMegabytes = 1024;
const maximumSeconds = 120;

/**
 * Reads and checks a catalogue file in its own thread, so that the server continues and the
 * memory is limited. Throws CatalogueFileUnreadable for another kind of file, and
 * CatalogueFileTooLarge for what needs too much memory or time.
 */
export async function readCatalogueFile(
  content: Uint8Array,
  format: CatalogueFormat,
): Promise<CheckedFile> {
  const worker = startThread(new URL('read-file.thread.ts', import.meta.url), {
    workerData: { content, format },
    resourceLimits: { maxOldGenerationSizeMb: maximumMegabytes },
  });
  const timer = setTimeout(() => void worker.terminate(), maximumSeconds * 1000);
  try {
    const read = emptyFile();
    const answer = await new Promise<Exclude<Answer, { part: FilePart }>>((resolve, reject) => {
      worker.on('message', (message: Answer) => {
        if (!('part' in message)) return resolve(message);
        addPart(read, message.part);
        worker.postMessage('next');
      });
      worker.once('error', reject);
      // A thread without anything left to read ends automatically; the timer ends it with another code.
      worker.once('exit', (code) =>
        reject(new Refusal(code === 0 ? 'CatalogueFileUnreadable' : 'CatalogueFileTooLarge')),
      );
    });
    if ('refused' in answer) throw new Refusal(answer.refused);
    return { ...read, ...answer };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new Refusal('CatalogueFileTooLarge');
    throw error;
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}
