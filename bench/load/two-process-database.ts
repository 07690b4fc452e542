import { startEmbeddedPostgres } from '../../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { endPrograms, newDataDir } from '../../api/src/testing/programs/running-program.ts';
import { openLoadGenerator, type LoadGenerator } from './load-generator.ts';

/**
 * Gives a trial the settings of programs that share one database, and a load generator. Ends the
 * programs and the database after it. The exit code is 1 unless the trial returns true.
 */
export async function withTwoProcessDatabase(
  trial: (settings: Record<string, string>, generator: LoadGenerator) => Promise<boolean>,
): Promise<void> {
  const generator = openLoadGenerator();
  const dataDir = await newDataDir();
  const postgres = await startEmbeddedPostgres(dataDir);
  try {
    const isPassed = await trial(
      {
        DATABASE_URL: postgres.connectionString,
        DATA_DIR: dataDir,
        // Tokens name it, so all processes have the same.
        PUBLIC_URL: 'http://localhost:3000',
        SANDBOX: 'on',
        SEED: 'demo',
        LOG_LEVEL: 'error',
      },
      generator,
    );
    process.exitCode = isPassed ? 0 : 1;
  } finally {
    generator.close();
    await postgres.stop();
    await endPrograms();
  }
}
