// The entry of a thread, in JavaScript: on Node 20 a thread does not inherit tsx, which runs
// TypeScript. It answers the bytes of a picture with the card in it, or `undefined`.
// A port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { openCardReader } = await import('./recognise-card.ts');

const read = await openCardReader();
parentPort.on('message', ({ bytes, today }) => {
  let card;
  try {
    card = read(Buffer.from(bytes.buffer), today);
  } catch {
    card = undefined;
  }
  parentPort.postMessage(card);
});
parentPort.postMessage('ready');
