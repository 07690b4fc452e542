// The entry of every thread in development and tests, in JavaScript: on Node 20 a thread does not
// inherit tsx, which runs TypeScript. `npm start` starts the entries of the bundle.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);
