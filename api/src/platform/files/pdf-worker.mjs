// The entry of a thread, in JavaScript: on Node 20 a thread does not inherit tsx, which runs
// TypeScript. It answers the bytes of a PDF with its findings, or `undefined` for a damaged PDF.
// A port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { findPdfFindings } = await import('./pdf-findings.ts');

// pdf-lib warns about large numbers.
console.warn = () => undefined;

parentPort.on('message', (bytes) => {
  let findings;
  try {
    findings = findPdfFindings(Buffer.from(bytes.buffer));
  } catch {
    findings = undefined;
  }
  parentPort.postMessage(findings);
});
parentPort.postMessage('ready');
