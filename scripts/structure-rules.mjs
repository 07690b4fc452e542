// The rules of check-structure.mjs: which folders and features may import which.

/**
 * The order of topic folders (and of shared files beside them) below each folder: each imports
 * only those after it. Files beside the topic folders that are not listed may import all of them,
 * and no topic folder imports them.
 */
export const topicOrders = {
  'contract/src': ['requests', 'staff', 'people', 'content', 'catalogue', 'forms', 'wire'],
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
  'api/src/features/requests': [
    'handover',
    'documents',
    'lists',
    'snippets',
    'actions',
    'record',
    'model',
    'workflow',
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
  'web/src': ['gallery', 'shell', 'features', 'ui', 'lib'],
  'web/src/lib': ['uploads', 'page', 'live', 'auth', 'api', 'i18n', 'browser', 'router'],
  'web/src/ui': [
    'data',
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
    'documents',
    'record',
    'data',
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
  'services',
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

/** Guideline: about 15 modules in a folder (design §2). This is the limit, tests excluded. */
export const maximumModules = 16;
