// A thread that answers the bytes of a picture with the card in it, or `undefined`.
import { parentPort } from 'node:worker_threads';
import type { ReadCard } from './mrz.ts';
import { openCardReader } from './recognise-card.ts';

const read = await openCardReader();
parentPort?.on('message', ({ bytes, today }: { bytes: Uint8Array; today: string }) => {
  let card: ReadCard | undefined;
  try {
    card = read(Buffer.from(bytes.buffer), today);
  } catch {
    card = undefined;
  }
  parentPort?.postMessage(card);
});
parentPort?.postMessage('ready');
