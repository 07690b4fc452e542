import type { AccountType } from '@diwan/contract/catalogue/account-types';
import type { GovernmentAgencyWithCount } from '@diwan/contract/catalogue/agencies';
import type { ServiceCategoryWithCount } from '@diwan/contract/catalogue/categories';
import type { GroupRecord } from '@diwan/contract/catalogue/groups';
import type { ServiceSummary } from '@diwan/contract/catalogue/services';
import type { AttachmentSummary } from '@diwan/contract/requests/attachments';
import type { Message } from '@diwan/contract/requests/messages';
import type {
  FigureGroup,
  getFigureGroups,
  RequestFigures,
} from '@diwan/contract/requests/reports';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { ActiveWorkflows } from '@diwan/contract/requests/workflows';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { agency, serviceSummary } from './records.ts';

// Replies of the server about the catalogue, figures, messages and workflows. records.test.ts
// checks each against its schema.

/** One page of a list; `totalCount` counts all pages. */
export const pageOf = <Item>(items: Item[], totalCount = items.length, pageNumber = 1) => ({
  items,
  pageNumber,
  totalCount,
});

/** One page of a list of payments, with what the whole list adds up to. */
export const paymentPage = <Item>(items: Item[], amount = 0) => ({
  ...pageOf(items),
  sums: items.length > 0 ? [{ currency: 'AED', count: items.length, amount }] : [],
});

export const serviceSummaryRecord = (changes: Partial<ServiceSummary> = {}): ServiceSummary => ({
  ...serviceSummary,
  ...changes,
});

/** Services with the ids 1 to `count` and numbered names. */
export const serviceSummaries = (count: number, firstId = 1): ServiceSummary[] =>
  Array.from({ length: count }, (_, index) =>
    serviceSummaryRecord({
      id: firstId + index,
      name: `خدمة رقم ${firstId + index}`,
      replacedName: `service-${firstId + index}`,
    }),
  );

export const accountTypeRecords: AccountType[] = (
  [
    [1, 'individuals', 'الأفراد', 120],
    [2, 'companies', 'الشركات', 2],
    [3, 'investors', 'المستثمرون', 1],
  ] as const
).map(([accountTypeId, slug, accountTypeName, servicesCount]) => ({
  accountTypeId,
  accountTypeName,
  alt: `رمز ${accountTypeName}`,
  description: `خدمات ${accountTypeName}`,
  slug,
  logo: '/logos/account-types/individuals.svg',
  servicesCount,
}));

export const agencyRecords: GovernmentAgencyWithCount[] = [
  { ...agency, servicesCount: 11 },
  { id: 2, name: 'جمارك دبي', logo: '/logos/agencies/customs.svg', servicesCount: 4 },
];

export const categoryRecords: ServiceCategoryWithCount[] = [
  {
    id: 3,
    name: 'المركبات',
    logo: '/logos/categories/vehicles.svg',
    description: 'تسجيل المركبات وتجديدها',
    servicesCount: 9,
  },
];

/** A category as an admin edits it, with the same text in every language. */
export const groupRecord = (id: number, name: string, description?: string): GroupRecord => ({
  id,
  slug: `group-${id}`,
  name: { 'ar-EG': name, 'en-US': `Group ${id}`, 'ur-PK': `${name} ${id}` },
  ...(description
    ? { description: { 'ar-EG': description, 'en-US': 'Text', 'ur-PK': description } }
    : {}),
  logo: '/logos/neutral.svg',
  isRetired: false,
  version: 1,
  servicesCount: 9,
});

export const attachmentSummaryRecord: AttachmentSummary = {
  attachmentId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e21',
  fileName: 'identity-card.pdf',
  mediaType: 'application/pdf',
  size: 182_000,
  state: 'attached',
  scanState: 'clean',
  requestNumber: 'DW-2026-000041',
  ownerName: 'مريم الشامسي',
  createdAt: '2026-11-20T06:30:00.000Z',
};

/** A mail that the recipient's server refused. */
export function messageRecord(changes: Partial<Message> = {}): Message {
  return {
    messageId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e31',
    kind: 'request',
    channel: 'email',
    recipient: 'maryam@example.ae',
    subject: 'طلبك DW-2026-000041',
    requestNumber: 'DW-2026-000041',
    state: 'failed',
    tries: 1,
    fault: 'addressRefused',
    faultDetail: '550 unknown user',
    createdAt: '2026-11-20T06:30:00.000Z',
    ...changes,
  };
}

/** Three days; two requests wait for the caller. */
export function figuresRecord(changes: Partial<RequestFigures> = {}): RequestFigures {
  return {
    fromDay: '2026-11-18',
    toDay: '2026-11-20',
    current: {
      created: 12,
      completed: 8,
      refused: 1,
      feesCollected: 288_400,
      medianSeconds: 172_800,
      withinPromise: 0.75,
    },
    previous: {
      created: 9,
      completed: 8,
      refused: 0,
      feesCollected: 200_000,
      medianSeconds: 259_200,
      withinPromise: 0.8,
    },
    days: [
      { day: '2026-11-18', created: 5, completed: 2 },
      { day: '2026-11-19', created: 4, completed: 3 },
      { day: '2026-11-20', created: 3, completed: 3 },
    ],
    services: [
      {
        serviceId: 7,
        name: 'تجديد ملكية مركبة',
        governmentAgency: agency,
        created: 6,
        completed: 4,
      },
    ],
    standing: [
      { statusId: 3, statusName: 'جديد', statusTone: 'progress', count: 2, waitsForMe: true },
      { statusId: 9, statusName: 'منجز', statusTone: 'done', count: 30, waitsForMe: false },
    ],
    ...changes,
  };
}

/** One agency with a late request, and what stands in all. */
export function figureGroupsRecord(
  changes: Partial<FigureGroup> = {},
): ReplyOf<typeof getFigureGroups> {
  const figures = {
    open: 5,
    waiting: 3,
    oldestAt: '2026-11-18T06:30:00.000Z',
    dueToday: 1,
    late: 2,
    created: 12,
    completed: 8,
    completedLate: 2,
    refused: 1,
    feesCollected: 288_400,
    medianSeconds: 172_800,
  };
  return {
    fromDay: '2026-11-18',
    toDay: '2026-11-20',
    total: figures,
    groups: [{ id: '3', name: agency.name, ...figures, ...changes }],
    groupCount: 1,
  };
}

const text = (ar: string, en: string, ur: string) => ({ 'ar-EG': ar, 'en-US': en, 'ur-PK': ur });

/** New, then completed or rejected by an employee. */
export const workflowRecord: Workflow = {
  name: 'Sample workflow',
  version: 1,
  demo: true,
  statuses: [
    {
      statusId: 1,
      key: 'new',
      name: text('وصل', 'Received', 'موصول'),
      staffName: text('جديد', 'New', 'نئی'),
      description: text('ينتظر الموظف', 'Waits for an employee', 'ملازم کا منتظر'),
      tone: 'progress',
      countsAs: 'new',
    },
    {
      statusId: 2,
      key: 'completed',
      name: text('منجز', 'Completed', 'مکمل'),
      description: text('انتهى الطلب', 'The request ended', 'درخواست مکمل ہوئی'),
      tone: 'done',
    },
  ],
  transitions: [
    { action: 'create', from: null, to: 1, who: ['Client', 'CompanyUser'] },
    { action: 'submitted', from: 1, to: 2, who: ['Employee', 'Admin'], notify: true },
  ],
  start: { toPay: 1, free: 1 },
};

export function activeWorkflowsRecord(changes: Partial<ActiveWorkflows> = {}): ActiveWorkflows {
  return {
    general: { workflowId: 1, name: 'Sample workflow', version: 1, demo: true },
    services: [],
    isDeploymentOwn: true,
    earlier: [],
    ...changes,
  };
}
