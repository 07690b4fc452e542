// Kills the program with SIGKILL while it saves drafts, fifty times or as often as the first
// argument says.

import { killWhileSaving } from '../../api/src/testing/load/kill-while-saving.ts';
import { endPrograms, createProgramData } from '../../api/src/testing/programs/running-program.ts';

const rounds = Number(process.argv[2] ?? 50);
const { acknowledged, interrupted, lost } = await killWhileSaving(
  await createProgramData(),
  rounds,
).finally(endPrograms);
console.log(
  `killed ${rounds} times; ${acknowledged} saves acknowledged, ${interrupted} interrupted, ` +
    `${lost.length} lost or partial`,
);
for (const each of lost) console.error(each);
process.exit(lost.length === 0 && acknowledged > rounds && interrupted > 0 ? 0 : 1);
