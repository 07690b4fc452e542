// node --import tsx bench/kill-messages.ts [rounds]: requests are sent while the program is killed
// with SIGKILL, 50 times; no message may be lost or arrive twice.
import { ownPlace } from '../api/src/testing/running-program.ts';
import { killWhileSending } from '../api/src/testing/kill-while-sending.ts';

const rounds = Number(process.argv[2] ?? 50);
const report = await killWhileSending(await ownPlace(), rounds, (line) => console.log(line));
console.log(report);
process.exit(report.twice.length + report.lost.length === 0 && report.acknowledged > 0 ? 0 : 1);
