// Kills the program with SIGKILL in the middle of saves of drafts, fifty times or as often as the
// first argument says.
import { endPrograms, ownPlace } from '../api/src/testing/running-program.ts';
import { killDuringSaves } from '../api/src/testing/killed-saves.ts';

const rounds = Number(process.argv[2] ?? 50);
const { acknowledged, cut, lost } = await killDuringSaves(await ownPlace(), rounds).finally(
  endPrograms,
);
console.log(
  `${rounds} times killed; ${acknowledged} saves acknowledged, ${cut} cut off, ${lost.length} lost or half done`,
);
for (const each of lost) console.error(each);
process.exit(lost.length === 0 && acknowledged > rounds && cut > 0 ? 0 : 1);
