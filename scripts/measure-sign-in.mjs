// How long a password hash takes and how many sign-ins a second a running product makes: node
// scripts/measure-sign-in.mjs http://localhost:3000
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

async function median(rounds, work) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

const kept = await hash('DiwanDemo2026!', costs);
console.log(
  `password hash: ${(await median(15, () => hash('DiwanDemo2026!', costs))).toFixed(1)} ms, check: ${(await median(15, () => verify(kept, 'DiwanDemo2026!'))).toFixed(1)} ms (median of 15, alone)`,
);

async function signIn(username, password) {
  const response = await fetch(`${url}/api/User/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  await response.arrayBuffer();
  return response.status;
}

for (const [what, password] of [
  ['right passwords', 'DiwanDemo2026!'],
  ['wrong passwords for one account', 'Wrong&password2026'],
]) {
  const statuses = {};
  const start = performance.now();
  let made = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() - start < 5000) {
        const status = await signIn(
          password.startsWith('Wrong') ? 'admin' : users[made % users.length],
          password,
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        made += 1;
      }
    }),
  );
  console.log(
    `${what}: ${(made / ((performance.now() - start) / 1000)).toFixed(0)} a second, by status ${JSON.stringify(statuses)}`,
  );
}
