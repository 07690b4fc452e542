import { startProgram, endPrograms } from '../api/src/testing/running-program.ts';
const p = await startProgram({ DATA_DIR: '/tmp/p7b/data', LOG_LEVEL: 'warn' });
await p.ready(); console.log('ready', p.pid, p.port);
process.on('SIGTERM', async () => { p.signal('SIGINT'); await p.ended; await endPrograms(); process.exit(0); });
setInterval(() => 0, 1000);
