import { inject } from 'vitest';
import { readConfig } from '#config.ts';
import { testFileStore } from '#testing/storage/file-store-contract.ts';
import { openFileStore } from '../open-file-store.ts';

testFileStore('a container of Azure Blob Storage', () =>
  openFileStore(
    readConfig({
      AZURE_STORAGE_CONNECTION_STRING: inject('azurite'),
      AZURE_STORAGE_CONTAINER: 'diwan-test',
    }),
  ),
);
