// Kills the program in the middle of creating and acting, again and again, and looks for what is
// lost or half done: node --import tsx bench/kill-actions.ts [rounds]
import { endPrograms, ownPlace } from '../api/src/testing/running-program.ts';
import { killRounds } from '../api/src/testing/kill-rounds.ts';

const rounds = Number(process.argv[2] ?? 50);
const report = await killRounds(await ownPlace(), rounds, (line) => console.log(line)).finally(
  endPrograms,
);
for (const fault of report.faults) console.error(fault);
console.log(
  `${rounds} times killed, ${report.cut} times in the middle of work: ${report.answered} requests answered, ${JSON.stringify(report.actions)}, ${report.faults.length} faults`,
);
process.exit(report.faults.length === 0 && report.cut === rounds ? 0 : 1);
