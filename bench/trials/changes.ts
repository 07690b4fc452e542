// Changes of administrators in another process: npm run trial -- changes. Two processes on one database
// answer LOAD_WORKERS (4) visitors each; in one of them an admin changes an agency, publishes a
// service, corrects a text and announces something, ROUNDS (10) times, and the other one is asked
// until it shows the change. Fails when a visitor would have waited longer than a second.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getAgencyRecords,
  governmentAgencyCollection,
  saveAgency,
} from '@diwan/contract/catalogue/agencies';
import {
  getServiceDesign,
  publishService,
  saveServiceDraft,
} from '@diwan/contract/catalogue/service-designs';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import { getAnnouncements, saveAnnouncement } from '@diwan/contract/content/announcements';
import { getText, saveText } from '@diwan/contract/content/texts';
import { login } from '@diwan/contract/people/users';
import { demoPassword } from '../../api/src/seed/seed.ts';
import {
  startProgram,
  type RunningProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { ensureBuilt } from '../../scripts/install.mjs';
import type { LoadGenerator, LoadResult } from '../load/load-generator.ts';
import { withTwoProcessDatabase } from '../load/two-process-database.ts';

const rounds = Number(process.env.ROUNDS ?? 10);
const workers = Number(process.env.LOAD_WORKERS ?? 4);
const maximumMs = 1000;
const serviceId = 1;
const inEveryLanguage = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });

/** Changes something in the first process; `path` of the second one then contains `mark`. */
type Change = (mark: string) => Promise<{ path: string }>;

function changesOf({ call }: RunningProgram, token: string): Record<string, Change> {
  const accept = ({ status, refused }: { status: number; refused: { error?: string } }) => {
    if (status !== 200) throw new Error(`refused: ${JSON.stringify(refused)}`);
  };
  return {
    agency: async (mark) => {
      const [agency] = (await call(getAgencyRecords, { token })).body;
      if (!agency) throw new Error('There is no agency');
      const { id, version, logo, isRetired } = agency;
      const name = inEveryLanguage(mark);
      accept(await call(saveAgency, { token, body: { id, version, logo, isRetired, name } }));
      return { path: governmentAgencyCollection.path };
    },
    service: async (mark) => {
      const { body } = await call(getServiceDesign, { token, query: { serviceId } });
      const document = { ...body.document, name: inEveryLanguage(mark) };
      const saved = await call(saveServiceDraft, {
        token,
        body: { serviceId, version: body.version, document: JSON.stringify(document) },
      });
      const { version } = saved.body;
      accept(await call(publishService, { token, body: { serviceId, version } }));
      return { path: `${getService.path}?serviceId=${serviceId}` };
    },
    text: async (mark) => {
      const [noun, key] = ['shell', 'login'];
      const { version } = (await call(getText, { token, query: { Noun: noun, Key: key } })).body;
      const texts = [{ language: 'en-US' as const, form: '' as const, text: mark }];
      accept(await call(saveText, { token, body: { noun, key, version, texts } }));
      return { path: `/locales/en-US/${noun}.json` };
    },
    announcement: async (mark) => {
      accept(
        await call(saveAnnouncement, {
          token,
          body: {
            kind: 'news',
            severity: 'information',
            title: inEveryLanguage(mark),
            text: inEveryLanguage(mark),
            audience: { of: 'everybody' },
            isDismissible: true,
            from: '2026-01-01T00:00',
          },
        }),
      );
      return { path: getAnnouncements.path };
    },
  };
}

/** Milliseconds from the answer to the admin until an answer of another process has the change. */
async function waitFor(mark: string, port: number, path: string): Promise<number> {
  const changedAt = performance.now();
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'accept-language': 'en-US' },
    });
    const hasChange = (await reply.text()).includes(mark);
    const waited = performance.now() - changedAt;
    if (hasChange || waited > 10 * maximumMs) return waited;
    await sleep(5);
  }
}

async function measureChanges(
  settings: Record<string, string>,
  generator: LoadGenerator,
): Promise<boolean> {
  const programs = [await startProgram(settings)];
  await programs[0]?.waitUntilReady();
  programs.push(await startProgram(settings));
  const [first, second] = programs as [RunningProgram, RunningProgram];
  await second.waitUntilReady();
  const body = { username: 'admin', password: demoPassword };
  const { token } = (await first.call(login, { body })).body;
  let isOver = false;
  const results: LoadResult[] = [];
  const loading = (async () => {
    while (!isOver)
      for (const { port } of programs)
        results.push(
          await generator.run({
            port,
            seconds: 1,
            workers,
            calls: [
              {
                group: 'visitors',
                path: `${getServices.path}?PageNumber=1&Take=10`,
                isDistinct: true,
              },
              { group: 'visitors', path: `${getService.path}?serviceId=2` },
            ],
          }),
        );
  })();
  const waits: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, change] of Object.entries(changesOf(first, token))) {
      const mark = `Changed ${name} ${round}`;
      const { path } = await change(mark);
      (waits[name] ??= []).push(await waitFor(mark, second.port, path));
    }
  isOver = true;
  await loading;
  const served = results.flatMap((result) => Object.values(result).map((each) => each.served));
  console.log(`${rounds} rounds, ${served.flat().length} calls of visitors served meanwhile`);
  for (const [name, each] of Object.entries(waits)) {
    const sorted = each.toSorted((one, other) => one - other);
    const [median = 0, most = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
    console.log(`${name}: median ${Math.round(median)} ms, longest ${Math.round(most)} ms`);
  }
  return Object.values(waits)
    .flat()
    .every((wait) => wait <= maximumMs);
}

// The texts are those of the built portal.
await ensureBuilt();
await withTwoProcessDatabase(measureChanges);
