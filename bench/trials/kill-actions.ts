// Kills the program while requests are created and processed, again and again, and searches for
// lost or inconsistent data: npm run trial -- kill-actions [rounds]

import { killWhileActing } from '../../api/src/testing/load/kill-while-acting.ts';
import { endPrograms, createProgramData } from '../../api/src/testing/programs/running-program.ts';

const rounds = Number(process.argv[2] ?? 50);
const report = await killWhileActing(await createProgramData(), rounds, (line) =>
  console.log(line),
).finally(endPrograms);
for (const problem of report.problems) console.error(problem);
console.log(
  `killed ${rounds} times, ${report.interrupted} times during work: ` +
    `${report.acknowledged} requests acknowledged, ${JSON.stringify(report.actions)}, ` +
    `${report.problems.length} problems`,
);
process.exit(report.problems.length === 0 && report.interrupted === rounds ? 0 : 1);
