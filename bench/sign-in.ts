// Measures the time of a password hash and the sign-ins a second of a running product:
// npm run bench -- sign-in http://localhost:3000
import { hash, verify } from '@node-rs/argon2';

const url = process.argv[2] ?? 'http://localhost:3000';
const users = [
  'individual',
  'individual2',
  'company',
  'company2',
  'employee',
  'employee2',
  'supervisor',
  'supervisor2',
];
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

async function median(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

const password = 'DiwanDemo2026!';
const stored = await hash(password, costs);
const hashTime = await median(15, () => hash(password, costs));
const checkTime = await median(15, () => verify(stored, password));
console.log(
  `password hash: ${hashTime.toFixed(1)} ms, check: ${checkTime.toFixed(1)} ms (median of 15)`,
);

async function signIn(username: string, typed: string): Promise<number> {
  const response = await fetch(`${url}/api/User/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: typed }),
  });
  await response.arrayBuffer();
  return response.status;
}

for (const [title, typed] of [
  ['right passwords', password],
  ['wrong passwords for one account', 'Wrong&password2026'],
] as const) {
  const statuses: Record<number, number> = {};
  const start = performance.now();
  let made = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() - start < 5000) {
        const status = await signIn(
          typed.startsWith('Wrong') ? 'admin' : users[made % users.length]!,
          typed,
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        made += 1;
      }
    }),
  );
  const perSecond = made / ((performance.now() - start) / 1000);
  console.log(`${title}: ${perSecond.toFixed(0)} a second, by status ${JSON.stringify(statuses)}`);
}
