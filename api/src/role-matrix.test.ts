import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import { roleMatrix } from './role-matrix.ts';
import { openRoleStage, type RoleStage } from './testing/role-stage.ts';
import { people, type Parts, type WellFormed } from './testing/well-formed-call.ts';

let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage();
});
afterAll(() => stage.app.close());

const rows = Object.values(roleMatrix).flatMap((group) => Object.entries(group));
const callOf = (row: string) => allCalls.find(({ name }) => name === row.split(' ')[0]);

describe('the role matrix', () => {
  it('has every call and no other, each with an answer for everybody and a well-formed call to make', () => {
    expect([...new Set(rows.map(([row]) => row.split(' ')[0]))].toSorted()).toEqual(
      allCalls.map(({ name }) => name).toSorted(),
    );
    expect(rows.map(([row]) => row).toSorted()).toEqual(Object.keys(stage.calls).toSorted());
    for (const [row, statuses] of rows) expect(statuses, row).toMatch(/^\d{3}( \d{3}){8}$/);
  });

  // Independently of what the table says, so that nobody mends the table where the product is
  // wrong.
  it('lets nobody in whom the contract keeps out', () => {
    for (const [row, statuses] of rows) {
      const call = callOf(row);
      statuses.split(' ').forEach((status, index) => {
        const { roles } = stage.person(people[index] ?? 'anonymous');
        if (!call || call.who === 'anyone') return;
        const isIn = roles.some((role) => call.who.includes(role));
        expect(isIn ? ['401', '403'].includes(status) : status, `${row} by ${people[index]}`).toBe(
          isIn ? false : roles.length === 0 ? '401' : '403',
        );
      });
    }
  });

  it.each(rows)('%s', async (row, statuses) => {
    const { make, owner }: WellFormed = stage.calls[row] ?? { make: () => ({}) };
    const call = callOf(row);
    if (!call) throw new Error(`no call ${row}`);
    const answers: number[] = [];
    let made: Parts | undefined;
    for (const [index, person] of people.entries()) {
      // A call that was refused left everything as it was, so the next is made of the same thing,
      // unless it would have to be the caller's own.
      const isRefused = /^[34]\d\d$/.test(statuses.split(' ')[index] ?? '');
      if (!made || !(isRefused || owner)) made = await make(person);
      const { status } = await stage.send(call, person, made);
      answers.push(status);
      if (status >= 400) continue;
      made = undefined;
      if (call.method !== 'GET') await stage.putBack();
    }
    await stage.putBack();
    expect(answers.join(' ')).toBe(statuses);
  });
});

it('names a call once', () => {
  expect(new Set(allCalls.map((call) => call.name)).size).toBe(allCalls.length);
  expect(new Set(allCalls.map((call) => `${call.method} ${call.path}`)).size).toBe(allCalls.length);
});

it('keeps staff who must set up a second factor from every call but those that are open to them', async () => {
  await stage.requireSecondFactor('Admin');
  for (const call of allCalls.filter(({ who }) => who !== 'anyone')) {
    const { status, error } = await stage.send(call, 'admin', {
      params: { requestId: 1, serviceId: 1, attachmentId: 1, documentId: 1 },
    });
    if (call.openTo?.includes('secondFactor'))
      expect([401, 403, 500], call.name).not.toContain(status);
    else expect([status, error], call.name).toEqual([403, 'SecondFactorSetupRequired']);
  }
  await stage.putBack();
});

/** The table as an auditor reads it. */
function print(): string {
  const head = [
    'call',
    'path',
    ...people.map((person) => (person === 'anonymous' ? 'nobody' : person)),
    'restricted, and all the same',
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const groups = Object.entries(roleMatrix).map(([title, group]) => {
    const body = Object.entries(group).map(([row, statuses]) => {
      const call = callOf(row);
      return line([
        row,
        `\`${call?.method} ${call?.path}\``,
        ...statuses.split(' '),
        call?.who === 'anyone' ? 'as nobody' : (call?.openTo ?? []).join(', '),
      ]);
    });
    return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...body].join('\n');
  });
  return `# Role matrix

Who may make which call, and what a well-formed one is answered with. Printed by \`api/src/role-matrix.test.ts\` from \`api/src/role-matrix.ts\` after it has made every one of these calls; \`npx vitest run api/src/role-matrix.test.ts -u\` prints it anew.

- **200** it is done, **302** the browser is led on.
- **400** it is theirs, and the rules say no: \`rejectRequest\` is not an employee's once the request is with the provider; an invitation is for one address.
- **401** sign in first. **403** not with this role. **404** it is somebody else's, which is told like one that is not there.
- A request is \`individual\`'s, for a service of \`supervisor\`'s partner; \`employee\` holds it where it was received. A company is \`company\`'s, a service provider \`supervisor\`'s. Each of the second accounts has nothing to do with them.
- Lists (\`getRequestsByStatusId\`, \`getRequestFigures\`, \`getCompanyUsers\`, the inquiry) answer 200 with what is the caller's own.
- The last column: who is restricted (must set up a second factor; a provider that is inactive or suspended) is refused every call but those marked, and is nobody to calls for anyone.

${groups.join('\n\n')}
`;
}

it('is printed as it is', async () => {
  await expect(print()).toMatchFileSnapshot('../../docs/role-matrix.md');
});
