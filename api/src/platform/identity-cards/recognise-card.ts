import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { findAngle, findZones } from './find-mrz.ts';
import { decodePicture, shrink, turn, type GreyPicture } from './grey-picture.ts';
import { parseMrz, type ReadCard } from './mrz.ts';

/** The parts of Tesseract's interface that are used here. */
interface Recogniser {
  Init(path: null, language: string, engine: number, config: string): number;
  SetVariable(name: string, value: string): void;
  /** Reads `/input`; 1 where it cannot. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  Clear(): void;
}

interface Core {
  FS: { writeFile(path: string, content: Uint8Array | string): void };
  TessBaseAPI: new () => Recogniser;
}

const require = createRequire(import.meta.url);
const silent = () => undefined;

// The older engine: the newer one invents letters that pass as valid.
const legacyEngine = 0;
const withoutDictionaries = ['system', 'freq', 'punc', 'number', 'unambig', 'bigram']
  .map((kind) => `load_${kind}_dawg 0\n`)
  .join('');
const oneBlockOfText = '6';

async function openRecogniser(): Promise<(picture: GreyPicture) => string> {
  const openCore = require('tesseract.js-core/tesseract-core-simd') as (options: {
    wasmBinary: Buffer;
    print: () => void;
    printErr: () => void;
  }) => Promise<Core>;
  const wasm = require.resolve('tesseract.js-core/tesseract-core-simd.wasm');
  const letters = require.resolve('@tesseract.js-data/eng/4.0.0/eng.traineddata.gz');
  const core = await openCore({ wasmBinary: readFileSync(wasm), print: silent, printErr: silent });
  core.FS.writeFile('./eng.traineddata', gunzipSync(readFileSync(letters)));
  core.FS.writeFile('./settings', withoutDictionaries);
  const recogniser = new core.TessBaseAPI();
  recogniser.Init(null, 'eng', legacyEngine, './settings');
  recogniser.SetVariable('tessedit_char_whitelist', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<');
  recogniser.SetVariable('tessedit_pageseg_mode', oneBlockOfText);
  return ({ width, height, pixels }) => {
    core.FS.writeFile(
      '/input',
      Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]),
    );
    if (recogniser.SetImageFile(1, 0) === 1) return '';
    recogniser.Recognize(null);
    const text = recogniser.GetUTF8Text();
    // Nothing of a card stays in memory.
    recogniser.Clear();
    core.FS.writeFile('/input', '');
    return text;
  };
}

/** A text with this is a zone that was misread. */
const mayBeZone = /[A-Z0-9<]{24}/;
/** Letters of a card that fills half of the picture are still high enough. */
const workingSide = 1800;

/**
 * Opens the reader of cards. It takes a JPEG or PNG file and today's day (YYYY-MM-DD) and returns
 * what the machine-readable zone says, however the picture is turned; undefined where there is no
 * zone or a check digit does not hold.
 */
export async function openCardReader(): Promise<
  (file: Buffer, today: string) => ReadCard | undefined
> {
  const recognise = await openRecogniser();
  return (file, today) => {
    const decoded = decodePicture(file);
    if (!decoded) return undefined;
    const picture = shrink(decoded, workingSide);
    const angle = findAngle(picture);
    for (const upsideDown of [0, 180])
      for (const sizes of findZones(turn(picture, angle + upsideDown)))
        for (const getZone of sizes) {
          const text = recognise(getZone());
          const card = parseMrz(text, today);
          if (card) return card;
          if (!mayBeZone.test(text)) break;
        }
    return undefined;
  };
}
