// A thread that answers a template and its data with the bytes of a PDF, or with an error.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { NodeCompiler, type NodeError } from '@myriaddreamin/typst-ts-node-compiler';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { markingRules, putInReadingOrder, wordsOf } from './reading-order.ts';

const require = createRequire(import.meta.url);
// The fonts of Google, as TTF: the builds for browsers lack letters and cannot be embedded.
const fontPaths = ['alexandria', 'inter', 'noto-nastaliq-urdu'].flatMap((name) => {
  const folder = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
  return ['400Regular', '700Bold'].map((weight) => join(folder, weight));
});
// Templates read only each other: the workspace is their folder, which has nothing else.
const workspace = fileURLToPath(new URL('../../../templates/', import.meta.url));
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths }] });

/** A template with its data as JSON, and the time of the document, in seconds. */
interface Order {
  template: string;
  data: string;
  createdAt: number;
}

function make({ template, data, createdAt: creationTimestamp }: Order): Buffer {
  const { language } = JSON.parse(data) as { language?: Language };
  // Typst draws lines from left to right in reading order already.
  if (!language || directionOf(language) === 'ltr')
    return typeset(template, { data }, creationTimestamp);
  const words = wordsOf(JSON.parse(data));
  const indexes = JSON.stringify(Object.fromEntries(words.map((word, index) => [word, index])));
  const pdf = typeset(`${markingRules}${template}`, { data, words: indexes }, creationTimestamp);
  return putInReadingOrder(pdf, words);
}

function typeset(
  mainFileContent: string,
  inputs: Record<string, string>,
  creationTimestamp: number,
): Buffer {
  const compiled = compiler.compile({ mainFileContent, inputs });
  const document = compiled.result;
  const problem = compiled.takeError();
  if (problem || !document) throw new Error(problem ? describe(problem) : 'No document');
  try {
    return compiler.pdf(document, { pdfStandard: 'a-3b', creationTimestamp });
  } catch (error) {
    // PDF/A forbids letters that no font has, such as a name in Chinese. A document with an empty box
    // is better than none.
    if (!/could not be displayed with any font/.test((error as Error).message)) throw error;
    return compiler.pdf(document, { pdfStandard: '1.7', creationTimestamp });
  }
}

const describe = (error: NodeError): string =>
  (compiler.fetchDiagnostics(error) as { message: string; hints?: string[] }[])
    .map(({ message, hints = [] }) => [message, ...hints].join('; '))
    .join('\n');

parentPort?.on('message', (order: Order) => {
  try {
    const bytes = new Uint8Array(make(order));
    parentPort?.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ error: String((error as Error)?.message ?? error) });
  } finally {
    // Without this the memory grows with each document.
    compiler.evictCache(0);
  }
});
parentPort?.postMessage('ready');
