import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { people, type Parts, type WellFormed } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { roleMatrix } from './role-matrix.ts';

let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage();
});
afterAll(() => stage.app.close());

const rows = Object.values(roleMatrix).flatMap((group) => Object.entries(group));
const callOf = (row: string) => allCalls.find(({ name }) => name === row.split(' ')[0]);

describe('the role matrix', () => {
  it('has every call and no other, each with an answer for every user and a well-formed call', () => {
    expect([...new Set(rows.map(([row]) => row.split(' ')[0]))].toSorted()).toEqual(
      allCalls.map(({ name }) => name).toSorted(),
    );
    expect(rows.map(([row]) => row).toSorted()).toEqual(Object.keys(stage.calls).toSorted());
    for (const [row, statuses] of rows) expect(statuses, row).toMatch(/^\d{3}( \d{3}){14}$/);
  });

  // Checked against the contract, so that a wrong row cannot be adapted to a wrong product.
  it('refuses every role that the contract excludes', () => {
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
      // A refused call and a GET without a cookie change nothing, so the next caller uses the same records, unless they
      // would have to be the caller's own.
      const isRefused = /^[34]\d\d$/.test(statuses.split(' ')[index] ?? '');
      // A `make` without a parameter makes the same records for every caller.
      const isOwn = !owner && make.length > 0;
      if (!made || (isOwn && !isRefused)) made = await make(person);
      const { status } = await stage.send(call, person, made);
      answers.push(status);
      if (status >= 400 || (call.method === 'GET' && !made.cookie)) continue;
      made = undefined;
      await stage.restore();
    }
    await stage.restore();
    expect(answers.join(' ')).toBe(statuses);
  });
});

it('refuses all calls but the open ones to staff who must set up a second factor', async () => {
  await stage.requireSecondFactor('Admin');
  for (const call of allCalls.filter(({ who }) => who !== 'anyone')) {
    const { status, error } = await stage.send(call, 'admin', {
      params: { requestId: 1, serviceId: 1, attachmentId: 1, documentId: 1 },
    });
    if (call.openTo?.includes('secondFactor'))
      expect([401, 403, 500], call.name).not.toContain(status);
    else expect([status, error], call.name).toEqual([403, 'SecondFactorSetupRequired']);
  }
  await stage.restore();
});

/** The table as Markdown. */
function print(): string {
  const head = ['call', 'path', ...people, 'allowed when restricted'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const groups = Object.entries(roleMatrix).map(([title, group]) => {
    const body = Object.entries(group).map(([row, statuses]) => {
      const call = callOf(row);
      return line([
        row,
        `\`${call?.method} ${call?.path}\``,
        ...statuses.split(' '),
        call?.who === 'anyone' ? 'as anonymous' : (call?.openTo ?? []).join(', '),
      ]);
    });
    return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...body].join('\n');
  });
  return `# Role matrix

Who may make which call, and the status of a well-formed call. \`api/src/system-tests/every-call/role-matrix.test.ts\` makes every
call of \`api/src/system-tests/every-call/role-matrix.ts\` and prints this file;
\`npx vitest run api/src/system-tests/every-call/role-matrix.test.ts -u\` updates it.

- **200** the call succeeds. **302** the browser is redirected.
- **400** the caller has access and a rule refuses: an employee cannot use \`rejectRequest\` while the provider
  processes the request; an invitation is for one address.
- **401** sign in first. **403** not with this role. **404** the record belongs to another user, which looks like a
  missing record.
- A request is \`individual\`'s, for a service of \`supervisor\`'s partner; after it is received it is assigned to
  \`employee\`. A company is \`company\`'s, a service provider \`supervisor\`'s. The second accounts have no access.
- Lists (\`getRequestsByStatusId\`, \`getRequestFigures\`, \`getCompanyUsers\`, the inquiry) answer 200 with the
  caller's own records.
- The last column names the restrictions (second factor to be set up; an inactive or suspended provider) under which the
  call is allowed. Other calls refuse a restricted caller; calls for anyone treat the caller as anonymous.

${groups.join('\n\n')}
`;
}

it('docs/role-matrix.md is up to date', async () => {
  await expect(print()).toMatchFileSnapshot('../../../../docs/role-matrix.md');
});
