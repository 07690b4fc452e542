import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { giveUp, run } from './install.mjs';

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const find = () => places.find((place) => place && existsSync(place));

/** The program of a Chromium or Chrome on this machine; as root on Debian it is installed from the system's packages when there is none. */
export function ensureChromium() {
  const found = find();
  if (found) return found;
  const hasApt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (process.getuid?.() === 0 && hasApt) {
    console.log('Installing Chromium …');
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    run('apt-get', ['-qq', 'update'], quiet);
    run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', 'chromium'], quiet);
  }
  return find() ?? giveUp('The browser tests need Chromium: install it (Debian: sudo apt-get install chromium) or set CHROMIUM to the path of Chrome or Chromium');
}
