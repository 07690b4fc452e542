import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoPassword } from '#seed/seed.ts';
import { getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { getDraft, saveDraft } from '@diwan/contract/requests/drafts';
import {
  startProgram,
  type ProgramData,
  type RunningProgram,
} from '../programs/running-program.ts';
import { freeService, paidService } from '../requests/request-stage.ts';

const writers = ['individual', 'individual2', 'company', 'company2'].flatMap((username) =>
  [freeService, paidService].map((service) => ({ username, service })),
);

/**
 * One user with one form. Each save contains its revision, so that a lost or partial save is
 * detected.
 */
class Writer {
  acknowledged = 0;
  readonly username: string;
  readonly service: string;
  private draftId: string = randomUUID();
  private serviceId = 0;

  constructor({ username, service }: (typeof writers)[number]) {
    this.username = username;
    this.service = service;
  }

  /** The problem of the stored draft after a kill, if any; then continues from it. */
  async findLost(program: RunningProgram, token: string): Promise<string | undefined> {
    this.serviceId = (
      await program.call(getServiceIdByServiceName, { query: { serviceName: this.service } })
    ).body.serviceId;
    const { draft } = (
      await program.call(getDraft, { token, query: { serviceId: this.serviceId } })
    ).body;
    const revision = draft?.revision ?? 0;
    const isWhole = revision === 0 || draft?.answers.applicantName === `save ${revision}`;
    // One save more than acknowledged: the kill interrupted the reply.
    const problem =
      revision < this.acknowledged || revision > this.acknowledged + 1 || !isWhole
        ? `${this.username}: ${this.acknowledged} acknowledged, ${revision} there: ${JSON.stringify(draft?.answers)}`
        : undefined;
    this.draftId = draft?.draftId ?? this.draftId;
    this.acknowledged = revision;
    return problem;
  }

  async write(program: RunningProgram, token: string): Promise<void> {
    const revision = this.acknowledged;
    const { status, body } = await program.call(saveDraft, {
      token,
      body: {
        draftId: this.draftId,
        serviceId: this.serviceId,
        revision,
        answers: { applicantName: `save ${revision + 1}` },
        attachmentIds: [],
        passed: [],
      },
    });
    if (status !== 200) throw new Error(`not saved: ${status} ${JSON.stringify(body)}`);
    this.acknowledged = body.revision;
  }
}

/**
 * Kills the program during saves, `rounds` times. Returns the number of acknowledged and
 * interrupted saves, and the acknowledged saves that were lost.
 */
export async function killWhileSaving(
  { settings }: ProgramData,
  rounds: number,
): Promise<{ acknowledged: number; interrupted: number; lost: string[] }> {
  const people = writers.map((writer) => new Writer(writer));
  const lost: string[] = [];
  let [acknowledged, interrupted] = [0, 0];
  for (let round = 0; round <= rounds; round += 1) {
    const program = await startProgram({
      ...settings,
      DRAFT_SAVES_PER_MINUTE: '1000000',
      LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    });
    await program.waitUntilReady();
    const tokens = await Promise.all(
      people.map(
        async ({ username }) =>
          (await program.call(login, { body: { username, password: demoPassword } })).body.token,
      ),
    );
    for (const [index, person] of people.entries())
      lost.push(
        ...[await person.findLost(program, tokens[index] ?? '')].filter(
          (problem) => problem !== undefined,
        ),
      );
    if (round === rounds) {
      program.signal('SIGINT');
      await program.ended;
      break;
    }
    const writing = people.map(async (person, index) => {
      try {
        for (;;) {
          await person.write(program, tokens[index] ?? '');
          acknowledged += 1;
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        interrupted += 1;
      }
    });
    // Counts saves and not seconds, so that the kill hits saves in progress on a busy machine too.
    const enough = acknowledged + randomInt(10, 120);
    while (acknowledged < enough && interrupted < people.length * (round + 1)) await sleep(2);
    await sleep(randomInt(10));
    program.signal('SIGKILL');
    await Promise.all([...writing, program.ended]);
  }
  return { acknowledged, interrupted, lost };
}
