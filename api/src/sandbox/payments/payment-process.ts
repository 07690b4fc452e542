// The program of the payment sandbox: `spawnPaymentSandbox` starts it, sends its options, and ends it
// by closing the channel, so that it also ends when the product is killed.
import { startPaymentSandbox, type PaymentSandboxOptions } from './payment-sandbox.ts';

// Ctrl-C reaches the whole process group: the product ends first, and then this program.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.once('message', async (options: PaymentSandboxOptions) => {
  try {
    const server = await startPaymentSandbox(options);
    process.once('disconnect', () => void server.close().finally(() => process.exit(0)));
    process.send?.('ready');
    if (!process.connected) await server.close().finally(() => process.exit(0));
  } catch (error) {
    process.send?.((error as Error).message, () => process.exit(1));
  }
});
