import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

// One reader for all lines: a second one would lose what the first has buffered.
let lines: AsyncIterator<string> | undefined;

async function readLine(): Promise<string> {
  lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const { done, value } = await lines.next();
  if (done) throw new Error('The input ended before every question was answered');
  return value;
}

async function question(text: string, output: Writable): Promise<string> {
  const reader: Interface = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await reader.question(`${text}: `);
  } finally {
    reader.close();
  }
}

/** Asks on a terminal; otherwise reads the next line of the input. */
export async function ask(text: string): Promise<string> {
  return process.stdin.isTTY ? question(text, process.stderr) : readLine();
}

/** As `ask`, without showing on a terminal what is typed. */
export async function readPassword(text: string): Promise<string> {
  if (!process.stdin.isTTY) return readLine();
  let isShown = true;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isShown) process.stderr.write(chunk);
      isShown = false;
      done();
    },
  });
  const typed = await question(text, output);
  process.stderr.write('\n');
  return typed;
}
