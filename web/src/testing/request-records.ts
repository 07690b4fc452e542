import type { Service } from '@diwan/contract/catalogue/services';
import type { DraftSummary, SavedDraft } from '@diwan/contract/requests/drafts';
import type { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import type { getAllStatuses, PublicRequestStatus } from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { SavedFilter } from '@diwan/contract/requests/saved-filters';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { agency, requestSummaryRecord, serviceRecord } from './records.ts';

// Replies of the server about requests. records.test.ts checks each against its schema.

export const statusRecords: ReplyOf<typeof getAllStatuses> = [
  { statusId: 2, statusName: 'بانتظار الدفع', statusTone: 'waiting', key: 'waitingForPayment' },
  { statusId: 3, statusName: 'جديد', statusTone: 'progress', key: 'new', countsAs: 'new' },
  {
    statusId: 4,
    statusName: 'قيد المراجعة',
    statusTone: 'progress',
    key: 'inReview',
    countsAs: 'processing',
  },
  { statusId: 5, statusName: 'معاد للتعديل', statusTone: 'waiting', key: 'returned' },
  { statusId: 9, statusName: 'منجز', statusTone: 'done', key: 'completed' },
];

/** New requests with the ids 41, 42, …; each was sent an hour before the one above it. */
export const requestSummaries = (
  count: number,
  changes: Partial<RequestSummary> = {},
): RequestSummary[] =>
  Array.from({ length: count }, (_, index) =>
    requestSummaryRecord({
      requestId: 41 + index,
      requestNumber: `DW-2026-0000${41 + index}`,
      createdAt: new Date(Date.parse('2026-11-20T06:30:00Z') - index * 3_600_000).toISOString(),
      ...changes,
    }),
  );

export const reasonRecords: ReplyOf<typeof rejectionReasonCollection> = [
  {
    id: 4,
    name: 'غير مكتمل',
    names: { 'ar-EG': 'غير مكتمل', 'en-US': 'Incomplete', 'ur-PK': 'نامکمل' },
  },
  {
    id: 5,
    name: 'غير واضح',
    names: { 'ar-EG': 'غير واضح', 'en-US': 'Not readable', 'ur-PK': 'غیر واضح' },
  },
];

export function savedFilterRecord(changes: Partial<SavedFilter> = {}): SavedFilter {
  return {
    id: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b01',
    list: 'all',
    name: 'منجز هذا الشهر',
    choice: {
      keyword: '',
      statusId: 9,
      from: '',
      to: '',
      sort: 'due',
      isMine: false,
      period: 'month',
    },
    isDefault: false,
    ...changes,
  };
}

const text = (ar: string, en: string, ur: string) => ({ 'ar-EG': ar, 'en-US': en, 'ur-PK': ur });

/** A form of two steps with a condition and a group of one to three items; free of charge. */
export function formServiceRecord(changes: Partial<Service> = {}): Service {
  return serviceRecord({
    form: {
      steps: [
        {
          name: 'owner',
          title: text('المالك', 'Owner', 'مالک'),
          fields: [
            {
              kind: 'text',
              name: 'ownerName',
              title: text('اسم المالك', 'Name of the owner', 'مالک کا نام'),
              required: true,
              maxLength: 80,
            },
            {
              kind: 'yesNo',
              name: 'isLeased',
              title: text('هل المركبة مؤجرة؟', 'Is the vehicle leased?', 'کیا گاڑی لیز پر ہے؟'),
              required: true,
            },
            {
              kind: 'text',
              name: 'lessor',
              title: text('جهة التأجير', 'Lessor', 'لیز دینے والا'),
              required: true,
              maxLength: 80,
              showWhen: { field: 'isLeased', equals: true },
            },
          ],
        },
        {
          name: 'drivers',
          title: text('السائقون', 'Drivers', 'ڈرائیور'),
          fields: [
            {
              kind: 'group',
              name: 'drivers',
              title: text('السائقون', 'Drivers', 'ڈرائیور'),
              itemTitle: text('سائق', 'Driver', 'ڈرائیور'),
              required: true,
              minItems: 1,
              maxItems: 3,
              fields: [
                {
                  kind: 'text',
                  name: 'driverName',
                  title: text('اسم السائق', 'Name of the driver', 'ڈرائیور کا نام'),
                  required: true,
                  maxLength: 80,
                },
              ],
            },
          ],
        },
      ],
    },
    attachments: [],
    attachmentsCount: 0,
    total: 0,
    fees: {
      lines: [],
      totalAdminstrativeFees: 0,
      totalAdminstrativeFeesVatValue: 0,
      total: 0,
      currency: 'AED',
    },
    ...changes,
  });
}

/** The draft of a user for that service, saved three times. */
export function savedDraftRecord(changes: Partial<SavedDraft> = {}): SavedDraft {
  return {
    draftId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01',
    serviceId: 7,
    revision: 3,
    answers: { ownerName: 'مريم الشامسي', isLeased: false },
    explanations: {},
    documents: [],
    passed: ['owner'],
    savedAt: '2026-11-20T06:30:00.000Z',
    keptUntil: '2026-12-20T06:30:00.000Z',
    formChanges: [],
    ...changes,
  };
}

export function draftSummaryRecord(changes: Partial<DraftSummary> = {}): DraftSummary {
  return {
    draftId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01',
    serviceId: 7,
    serviceName: 'تجديد ملكية مركبة',
    replacedName: 'renew-vehicle-ownership',
    governmentAgency: agency,
    done: 1,
    total: 2,
    savedAt: '2026-11-20T06:30:00.000Z',
    keptUntil: '2026-12-20T06:30:00.000Z',
    isOffered: true,
    ...changes,
  };
}

/** The status of a request as an anonymous inquiry shows it. */
export function publicStatusRecord(
  changes: Partial<PublicRequestStatus> = {},
): PublicRequestStatus {
  return {
    requestNumber: 'DW-2026-000041',
    serviceName: 'تجديد ملكية مركبة',
    governmentAgencyName: agency.name,
    statusId: 3,
    statusName: 'جديد',
    statusTone: 'progress',
    statusDescription: 'ينتظر الموظف',
    createdAt: '2026-11-20T06:30:00.000Z',
    updatedAt: '2026-11-20T06:40:00.000Z',
    ...changes,
  };
}
