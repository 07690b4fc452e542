// npm run dev: the API with a restart on each change, and Vite's server with hot reload in front of
// it.
import { spawn } from 'node:child_process';
import { ensureInstalled, root } from './install.mjs';

await ensureInstalled();
const children = [
  spawn('npx', ['tsx', 'watch', 'api/src/main.ts'], { cwd: root, stdio: 'inherit' }),
  spawn('npx', ['vite', 'web'], { cwd: root, stdio: 'inherit' }),
];
for (const child of children)
  child.once('exit', () => children.forEach((each) => each.kill('SIGINT')));
process.on('SIGINT', () => undefined);
