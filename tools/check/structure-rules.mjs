// The rules of structure.mjs: which folders and features may import which.

/**
 * The order of topic folders (and of shared files beside them) below each folder: each imports
 * only those after it. Files beside the topic folders that are not listed may import all of them,
 * and no topic folder imports them.
 */
export const topicOrders = {
  'contract/src': [
    'portal',
    'payments',
    'processing',
    'requests',
    'staff',
    'people',
    'content',
    'catalogue',
    'calendars',
    'forms',
    'wire',
  ],
  'api/src': [
    'backup',
    'commands',
    'seed',
    'features',
    'sandbox',
    'platform',
    'config.ts',
    'settings.ts',
    'version.ts',
  ],
  'api/src/platform': [
    'portal',
    'hubs',
    'http',
    'files',
    'messages',
    'integrations',
    'pdf',
    'identity-cards',
    'auth',
    'embedded-postgres',
    'database',
    'core',
  ],
  'api/src/platform/http': ['replies', 'limits'],
  'api/src/features/requests': [
    'handover',
    'documents',
    'urgent-reading',
    'lists',
    'snippets',
    'due-day-moves',
    'staff-actions',
    'rejection-reasons',
    'actions',
    'notices',
    'referral-codes',
    'record',
    'model',
  ],
  'api/src/features/payments': [
    'administration',
    'settlement',
    'restored',
    'vat',
    'receipts',
    'invoices',
    'refunds.actions.ts',
    'provider-refunds.actions.ts',
    'payment-cases.actions.ts',
    'payments.actions.ts',
    'payment-events.actions.ts',
    'refunds.store.ts',
    'payment-cases.store.ts',
    'payments.store.ts',
    'routing',
    'payment-state.ts',
  ],
  'api/src/features/users': [
    'setup',
    'admin',
    'account',
    'acting',
    'second-factor',
    'uae-pass',
    'sign-in',
    'notifications',
    'model',
  ],
  'web/src': ['server', 'gallery', 'shell', 'features', 'ui', 'lib'],
  'web/src/lib': [
    'uploads',
    'documents',
    'page',
    'live',
    'auth',
    'api',
    'i18n',
    'browser',
    'router',
  ],
  'web/src/ui': [
    'data',
    'designs',
    'files',
    'search',
    'charts',
    'values',
    'editing',
    'forms',
    'feedback',
    'actions',
    'theme',
  ],
  'web/src/shell': ['header', 'navigation'],
  'web/src/features/requests': [
    'pages',
    'corrections',
    'create',
    'staff',
    'inquiry',
    'drafts',
    'form-fields',
    'special-data',
    'documents',
    'record',
    'data',
    'live',
  ],
  'web/src/features/users': [
    'setup',
    'account',
    'second-factor',
    'admin',
    'register',
    'sign-in',
    'identity',
    'fields',
  ],
};

/** An api feature may import the actions of the features after it. */
export const featureOrder = [
  'reports',
  'payments',
  'service-designs',
  'requests',
  'messages',
  'partners',
  'companies',
  'drafts',
  'attachments',
  'certificates',
  'workflow',
  'ledger',
  'complaints',
  'calendars',
  'fines',
  'services',
  'legal-pages',
  'users',
];
/** These features read the catalogue of `services` only. */
export const catalogueReaders = [
  'searches',
  'announcements',
  'agencies',
  'categories',
  'account-types',
  'sitemap',
];

/**
 * Packages that only these files of the product import. Workbooks have two writers, because they share
 * nothing but the package: lists are streamed row by row from the database to the reader, with days, times
 * and amounts as typed cells; the file of the catalogue is made and read in a thread, by the same table of
 * columns, with a hidden row of keys and frozen headings. Another list is a call of the first.
 */
export const packageOwners = {
  exceljs: [
    'api/src/platform/files/workbook.ts',
    'api/src/features/services/transfer/files/workbook.ts',
  ],
};

/** Guideline: about 15 modules in a folder (design §2). This is the limit, tests excluded. */
export const maximumModules = 16;
