// The entry of a thread, in JavaScript: on Node 20 a thread does not inherit tsx, which runs
// TypeScript. It answers a template and its data with the bytes of a PDF, or with an error.
// A port has no target origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

const require = createRequire(import.meta.url);
// The fonts of Google, as TTF: the builds for browsers lack letters and cannot be embedded.
const fontPaths = ['alexandria', 'inter', 'noto-nastaliq-urdu'].flatMap((name) => {
  const folder = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
  return ['400Regular', '700Bold'].map((weight) => join(folder, weight));
});
// Templates read no files: the workspace is this folder, which has none for them.
const compiler = NodeCompiler.create({ workspace: import.meta.dirname, fontArgs: [{ fontPaths }] });

function make({ template, data, createdAt: creationTimestamp }) {
  const compiled = compiler.compile({ mainFileContent: template, inputs: { data } });
  if (compiled.hasError()) throw new Error(describe(compiled.takeError()));
  try {
    return compiler.pdf(compiled.result, { pdfStandard: 'a-3b', creationTimestamp });
  } catch (error) {
    // PDF/A forbids letters that no font has, such as a name in Chinese. A document with an empty box
    // is better than none.
    if (!/could not be displayed with any font/.test(error.message)) throw error;
    return compiler.pdf(compiled.result, { pdfStandard: '1.7', creationTimestamp });
  }
}

const describe = (error) =>
  compiler
    .fetchDiagnostics(error)
    .map(({ message, hints = [] }) => [message, ...hints].join('; '))
    .join('\n');

parentPort.on('message', (order) => {
  try {
    const bytes = new Uint8Array(make(order));
    parentPort.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort.postMessage({ error: String(error?.message ?? error) });
  } finally {
    // Without this the memory grows with each document.
    compiler.evictCache(0);
  }
});
parentPort.postMessage('ready');
