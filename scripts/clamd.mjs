// Prints where the program clamd is, for the test of the scanner.
import { ensureProgram } from './system-program.mjs';

const places = [
  process.env.CLAMD_PROGRAM,
  '/usr/sbin/clamd',
  '/usr/local/sbin/clamd',
  '/opt/homebrew/sbin/clamd',
];
console.log(
  ensureProgram({
    places,
    name: 'clamd',
    aptPackage: 'clamav-daemon',
    missing:
      'The test of the scanner needs clamd: install it (Debian: sudo apt-get install clamav-daemon) or set CLAMD_PROGRAM to its path',
  }),
);
