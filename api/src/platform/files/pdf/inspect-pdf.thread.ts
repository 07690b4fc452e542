// A thread that answers the bytes of a PDF with its findings, or `undefined` for a damaged PDF.
import { parentPort } from 'node:worker_threads';
import { findPdfFindings, type PdfFinding } from './pdf-findings.ts';

// pdf-lib warns about large numbers.
console.warn = () => undefined;

parentPort?.on('message', (bytes: Uint8Array) => {
  let findings: PdfFinding[] | undefined;
  try {
    findings = findPdfFindings(Buffer.from(bytes.buffer));
  } catch {
    findings = undefined;
  }
  parentPort?.postMessage(findings);
});
parentPort?.postMessage('ready');
