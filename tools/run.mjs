// npm run bench, npm run trial: runs a program of a folder with the arguments after its name:
// node --import tsx tools/run.mjs <usual program or folder/> [name] [arguments]
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { giveUp } from '../scripts/install.mjs';

const [usual, ...given] = process.argv.slice(2);
const folder = resolve(usual.endsWith('/') ? usual : dirname(usual));
const isNamed = given.length > 0 && !given[0].startsWith('-');
const file = isNamed ? resolve(folder, `${given.shift()}.ts`) : resolve(usual);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => basename(name, '.ts'));
if (!file.endsWith('.ts') || !existsSync(file)) giveUp(`Name one of: ${names.join(', ')}`);

process.argv = [process.execPath, file, ...given];
await import(pathToFileURL(file).href);
