import { inject } from 'vitest';
import { testFileStore } from '#testing/file-store-contract.ts';
import { openFileStore } from './open-file-store.ts';

testFileStore('a container of Azure Blob Storage', () =>
  openFileStore({
    DATA_DIR: '',
    AZURE_STORAGE_CONNECTION_STRING: inject('azurite'),
    AZURE_STORAGE_CONTAINER: 'diwan-test',
  }),
);
