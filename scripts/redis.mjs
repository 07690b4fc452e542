// Prints the path of redis-server, for the tests of the hubs over Redis.
import { ensureProgram } from './system-program.mjs';

console.log(
  ensureProgram({
    paths: [
      process.env.REDIS_SERVER,
      '/usr/bin/redis-server',
      '/usr/local/bin/redis-server',
      '/opt/homebrew/bin/redis-server',
    ],
    name: 'Redis',
    aptPackages: ['redis-server'],
    missing:
      'The tests of Redis need redis-server: install it (Debian: sudo apt-get install redis-server) ' +
      'or set REDIS_SERVER to its path',
  }),
);
