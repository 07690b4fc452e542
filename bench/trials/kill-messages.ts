// npm run trial -- kill-messages [rounds]: sends requests while the program is killed
// with SIGKILL, 50 times by default; no message may be lost or arrive twice.

import { killWhileSending } from '../../api/src/testing/load/kill-while-sending.ts';
import { createProgramData } from '../../api/src/testing/programs/running-program.ts';

const rounds = Number(process.argv[2] ?? 50);
const report = await killWhileSending(await createProgramData(), rounds, (line) =>
  console.log(line),
);
console.log(report);
process.exit(report.twice.length + report.lost.length === 0 && report.acknowledged > 0 ? 0 : 1);
