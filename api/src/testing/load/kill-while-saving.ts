import { randomInt, randomUUID } from 'node:crypto';
import { demoPassword } from '#seed/seed.ts';
import { getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { getDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { killInRounds } from '../programs/kill-in-rounds.ts';
import type { ProgramData, RunningProgram } from '../programs/running-program.ts';
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
  /** Signs everybody in and looks for lost saves. Returns the tokens. */
  const inspect = async (program: RunningProgram) => {
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
    return tokens;
  };
  const write = async (program: RunningProgram, person: Writer, token: string) => {
    try {
      for (;;) {
        await person.write(program, token);
        acknowledged += 1;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      interrupted += 1;
    }
  };
  const limits = { DRAFT_SAVES_PER_MINUTE: '1000000', LOGIN_ATTEMPTS_PER_MINUTE: '100000' };
  const last = await killInRounds({ ...settings, ...limits }, rounds, {
    async begin(program) {
      const tokens = await inspect(program);
      const enough = acknowledged + randomInt(10, 120);
      const writing = people.map((person, index) => write(program, person, tokens[index] ?? ''));
      return {
        work: Promise.all(writing),
        isEnough: () => acknowledged >= enough,
        delayMs: randomInt(10),
      };
    },
  });
  await inspect(last);
  last.signal('SIGINT');
  await last.ended;
  return { acknowledged, interrupted, lost };
}
