import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openPdfMaker } from './make-pdf.ts';

const maker = openPdfMaker();

/** What a page draws, as text. */
async function draw(template: string, data: object): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'diwan-pdf-')), 'template.typ');
  await writeFile(path, `#let data = json(bytes(sys.inputs.data))\n${template}`);
  const order = { template: pathToFileURL(path), data, createdAt: new Date(0) };
  const pdf = await maker.make(order);
  expect(pdf.equals(await maker.make(order))).toBe(true);
  const source = pdf.toString('latin1');
  const page = /\/Contents (\d+) 0 R/.exec(source)?.[1];
  const start = source.indexOf(`\n${page} 0 obj`);
  const stream = source.indexOf('stream', start);
  const end = source.indexOf('endstream', stream);
  return inflateSync(Buffer.from(source.slice(stream + 7, end), 'latin1')).toString('latin1');
}

/** The words of a page in the order in which it draws them; `#` is a text of other letters. */
function wordsIn(content: string): string {
  const spans = content.matchAll(/ActualText <feff([0-9a-f]*)>|^\[.*\] TJ$/gm);
  let isHidden = false;
  let text = '';
  for (const [line, hex] of spans) {
    if (hex === '') {
      isHidden = true;
      text += ' ';
    } else if (hex === undefined) text += isHidden ? '' : ' #';
    else {
      isHidden = false;
      text += Buffer.from(hex, 'hex').swap16().toString('utf16le');
    }
    if (line.endsWith('TJ') && !isHidden) text += ' ';
  }
  // A word is drawn from left to right: its last letter first.
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => [...word].toReversed().join('')).join(' ');
}

const rules = `#set text(lang: "ur", dir: rtl, font: ("Noto Nastaliq Urdu", "Inter"), fallback: false)`;
const texts = { first: 'تاریخ کا سرٹیفکیٹ', second: 'کل رقم', third: 'درہم' };

it('draws a line from right to left, each word with its letters', async () => {
  const content = await draw(`${rules}\n#data.first`, { language: 'ur-PK', ...texts });
  expect(wordsIn(content).replaceAll(' #', '')).toBe(texts.first);
});

it('draws the cells of a row in their order, each with all of its lines', async () => {
  const content = await draw(
    `${rules}\n#table(columns: (1fr, 1fr), [#data.first \\ #data.third], data.second, [3.00], data.third)`,
    { language: 'ur-PK', ...texts },
  );
  const { first, second, third } = texts;
  expect(wordsIn(content).replaceAll(' #', '')).toBe(`${first} ${third} ${second} ${third}`);
});

it('leaves a document from left to right as it is', async () => {
  const content = await draw('#data.first', { language: 'en-US', ...texts });
  expect(content).not.toContain('ActualText');
});
