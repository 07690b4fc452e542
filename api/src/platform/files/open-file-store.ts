import { join } from 'node:path';
import type { Config } from '#config.ts';
import { openFolderStore } from './file-store-folder.ts';
import type { FileStore } from './file-store.ts';

/** The origin to which browsers send documents, where it is not the portal's own. */
export function storageOrigins({
  AZURE_STORAGE_CONNECTION_STRING: setting = '',
}: Pick<Config, 'AZURE_STORAGE_CONNECTION_STRING'>): string[] {
  if (setting === '') return [];
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

/**
 * Opens Azure Blob Storage where the settings name it, else the folder `files` of DATA_DIR. `warn`
 * receives a line for the operator when its disk is full.
 */
export async function openFileStore(
  config: Pick<Config, 'DATA_DIR' | 'AZURE_STORAGE_CONNECTION_STRING' | 'AZURE_STORAGE_CONTAINER'>,
  warn?: (message: string) => void,
): Promise<FileStore> {
  if (config.AZURE_STORAGE_CONNECTION_STRING === undefined)
    return openFolderStore(join(config.DATA_DIR, 'files'), warn);
  const { openAzureStore } = await import('./file-store-azure.ts');
  return openAzureStore(config.AZURE_STORAGE_CONNECTION_STRING, config.AZURE_STORAGE_CONTAINER);
}
