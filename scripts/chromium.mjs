import { ensureProgram } from './system-program.mjs';

const paths = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a Chromium or Chrome on this machine. */
export function ensureChromium() {
  return ensureProgram({
    paths,
    name: 'Chromium',
    aptPackage: 'chromium',
    missing:
      'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium) ' +
      'or set CHROMIUM to the path of Chrome or Chromium',
  });
}
