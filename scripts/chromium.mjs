import { ensureProgram } from './system-program.mjs';

// The headless shell is Chromium without windows: the browser process needs half the processor time.
const shell = '/usr/lib/chromium/chromium-headless-shell';
const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a Chromium or Chrome on this machine; `CHROMIUM` names another one. */
export function ensureChromium() {
  return ensureProgram({
    paths: [process.env.CHROMIUM, shell],
    otherPaths: browsers,
    name: 'Chromium',
    aptPackages: ['chromium-headless-shell', 'chromium'],
    missing:
      'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium) ' +
      'or set CHROMIUM to the path of Chrome or Chromium',
  });
}
