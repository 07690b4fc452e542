// Prints the path of clamd, for the tests of the scanner.
import { ensureProgram } from './system-program.mjs';

const paths = [
  process.env.CLAMD_PROGRAM,
  '/usr/sbin/clamd',
  '/usr/local/sbin/clamd',
  '/opt/homebrew/sbin/clamd',
];
console.log(
  ensureProgram({
    paths,
    name: 'clamd',
    aptPackages: ['clamav-daemon'],
    missing:
      'The tests of the scanner need clamd: install it (Debian: sudo apt-get install clamav-daemon) ' +
      'or set CLAMD_PROGRAM to its path',
  }),
);
