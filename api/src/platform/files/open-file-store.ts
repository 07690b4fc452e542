import { join } from 'node:path';
import type { Config, FileStoreName } from '#config.ts';
import { openFolderStore } from './stores/file-store-folder.ts';
import type { FileStore } from './stores/file-store.ts';
import { withSecondStore } from './stores/second-store.ts';

/** The origin to which browsers send documents, where it is not the portal's own. */
export function storageOrigins({
  FILE_STORE,
  AZURE_STORAGE_CONNECTION_STRING: setting = '',
}: Pick<Config, 'FILE_STORE' | 'AZURE_STORAGE_CONNECTION_STRING'>): string[] {
  if (FILE_STORE !== 'azure') return [];
  const parts = new Map(
    setting
      .split(';')
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const protocol = parts.get('DefaultEndpointsProtocol') ?? 'https';
  const suffix = parts.get('EndpointSuffix') ?? 'core.windows.net';
  const address =
    parts.get('BlobEndpoint') ?? `${protocol}://${parts.get('AccountName')}.blob.${suffix}`;
  return [new URL(address).origin];
}

/** The settings of all stores. */
type StoreSettings = Pick<
  Config,
  | 'DATA_DIR'
  | 'AZURE_STORAGE_CONNECTION_STRING'
  | 'AZURE_STORAGE_CONTAINER'
  | 'S3_BUCKET'
  | 'S3_REGION'
  | 'S3_ENDPOINT'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PATH_STYLE'
>;

/**
 * Opens the store of the settings, with a second one that is read for what it lacks. `warn` receives
 * a line for the operator when its disk is full, or when the storage fails. Throws a `ConfigError`
 * for settings that a storage refuses.
 */
export async function openFileStore(
  config: StoreSettings & Pick<Config, 'FILE_STORE' | 'SECOND_FILE_STORE'>,
  warn?: (message: string) => void,
): Promise<FileStore> {
  const first = await openNamedStore(config, config.FILE_STORE, warn);
  if (config.SECOND_FILE_STORE === undefined) return first;
  return withSecondStore(first, await openNamedStore(config, config.SECOND_FILE_STORE, warn));
}

/** Opens one of the stores. `warn` and errors as for `openFileStore`. */
export async function openNamedStore(
  config: StoreSettings,
  name: FileStoreName,
  warn?: (message: string) => void,
): Promise<FileStore> {
  if (name === 'azure') {
    const { openAzureStore } = await import('./stores/file-store-azure.ts');
    return openAzureStore(
      config.AZURE_STORAGE_CONNECTION_STRING ?? '',
      config.AZURE_STORAGE_CONTAINER,
    );
  }
  if (name === 's3') {
    const { openS3Store } = await import('./stores/file-store-s3.ts');
    return openS3Store(
      {
        bucket: config.S3_BUCKET ?? '',
        region: config.S3_REGION,
        endpoint: config.S3_ENDPOINT,
        keyId: config.S3_ACCESS_KEY_ID ?? '',
        secret: config.S3_SECRET_ACCESS_KEY ?? '',
        isInPath: (config.S3_PATH_STYLE ?? (config.S3_ENDPOINT ? 'on' : 'off')) === 'on',
      },
      warn,
    );
  }
  return openFolderStore(join(config.DATA_DIR, 'files'), warn);
}
