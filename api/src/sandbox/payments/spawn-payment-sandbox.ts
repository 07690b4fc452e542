import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '#config.ts';
import { addressOf } from '#platform/integrations/http-client.ts';
import type { PaymentSandboxOptions } from './payment-sandbox.ts';

/** A running payment sandbox. */
export interface RunningPaymentSandbox {
  port: number;
  stop(): Promise<unknown>;
}

const checkMilliseconds = 1000;

// `npm start` runs the bundled server, `npm run dev` the sources.
const program = () =>
  fileURLToPath(
    process.argv[1]?.endsWith('.ts')
      ? new URL('./payment-process.ts', import.meta.url)
      : new URL('../../../dist/payment-process.js', import.meta.url),
  );

async function start(options: PaymentSandboxOptions): Promise<ChildProcess> {
  const child = fork(program());
  child.send(options);
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => String(message)),
    once(child, 'exit').then(() => 'it ended'),
  ]);
  if (answer !== 'ready') throw new ConfigError(`The payment sandbox does not start: ${answer}`);
  return child;
}

const isAlive = (child: ChildProcess | undefined) =>
  child?.exitCode === null && child.signalCode === null;

async function isServed({ key, host }: PaymentSandboxOptions, port: number): Promise<boolean> {
  const answer = await fetch(`http://${addressOf(host)}:${port}/health`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(checkMilliseconds),
  }).catch(() => undefined);
  return answer?.status === 200;
}

/** The port on which another program of this deployment serves the same store. */
async function findServedPort(options: PaymentSandboxOptions): Promise<number | undefined> {
  const text = await readFile(join(options.folder, 'port'), 'utf8').catch(() => '');
  const port = Number(text);
  return port > 0 && (await isServed(options, port)) ? port : undefined;
}

/**
 * Starts the payment sandbox as a separate program, which ends with this one. Several processes of
 * the product on one folder share the one that the first of them started. When it ends, for whatever
 * reason, it is started again on the same port, and its store continues.
 */
export async function spawnPaymentSandbox(
  options: PaymentSandboxOptions,
): Promise<RunningPaymentSandbox> {
  const served = await findServedPort(options);
  const port = served ?? options.port;
  let child = served === undefined ? await start(options) : undefined;
  let checking: Promise<void> = Promise.resolve();
  const check = async () => {
    if (isAlive(child) || (await isServed(options, port))) return;
    child = await start({ ...options, port });
  };
  const timer = setInterval(() => {
    // Where it cannot be started, payments cannot be made, and it is tried again.
    checking = checking.then(check).catch(() => undefined);
  }, checkMilliseconds);
  timer.unref();
  return {
    port,
    stop: async () => {
      clearInterval(timer);
      await checking;
      if (!child || !isAlive(child)) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
