import type { GovernmentAgency } from '@diwan/contract/catalogue/agencies';
import type { Service, ServiceSummary } from '@diwan/contract/catalogue/services';
import type { Attachment } from '@diwan/contract/requests/attachments';
import type { RequestRecord, RequestSummary } from '@diwan/contract/requests/requests';
import type { Quote } from '@diwan/contract/wire/money';

// Replies of the server for tests of components and pages. records.test.ts checks each against its
// schema in the contract.

export const agency: GovernmentAgency = {
  id: 1,
  name: 'هيئة الطرق والمواصلات',
  logo: '/logos/agencies/rta.svg',
};

const fees: Quote = {
  lines: [
    { name: 'service', title: 'رسم الخدمة', amount: 35000, vatRate: 0, vat: 0 },
    { name: 'knowledge', title: 'رسم المعرفة', amount: 1000, vatRate: 500, vat: 50 },
  ],
  totalAdminstrativeFees: 36000,
  totalAdminstrativeFeesVatValue: 50,
  total: 36050,
  currency: 'AED',
};

const text = (ar: string, en: string, ur: string) => ({ 'ar-EG': ar, 'en-US': en, 'ur-PK': ur });

const form: Service['form'] = {
  steps: [
    {
      name: 'vehicle',
      title: text('المركبة', 'Vehicle', 'گاڑی'),
      fields: [
        {
          kind: 'text',
          name: 'plateNumber',
          title: text('رقم اللوحة', 'Plate number', 'پلیٹ نمبر'),
          required: true,
          maxLength: 10,
        },
        {
          kind: 'choice',
          name: 'emirateOfPlate',
          title: text('إمارة اللوحة', 'Emirate of the plate', 'پلیٹ کی امارت'),
          required: true,
          oneOf: [
            { const: 'dubai', title: text('دبي', 'Dubai', 'دبئی') },
            { const: 'sharjah', title: text('الشارقة', 'Sharjah', 'شارجہ') },
          ],
        },
        {
          kind: 'longText',
          name: 'remark',
          title: text('ملاحظة', 'Remark', 'تبصرہ'),
          required: false,
          maxLength: 500,
        },
      ],
    },
  ],
};

const attachmentRules: Service['attachments'] = [
  {
    name: 'emiratesIdCopy',
    title: text('نسخة من الهوية', 'Copy of the Emirates ID', 'شناختی کارڈ کی نقل'),
    required: true,
    mediaTypes: ['application/pdf', 'image/jpeg', 'image/png'],
    maximumBytes: 5_000_000,
    maximumCount: 1,
  },
];

/** A service in a list; AED 360.50 in all. */
export const serviceSummary: ServiceSummary = {
  id: 7,
  name: 'تجديد ملكية مركبة',
  description: 'تجديد ترخيص مركبة مسجلة',
  replacedName: 'renew-vehicle-ownership',
  governmentAgency: agency,
  serviceCategory: { id: 3, name: 'المركبات', logo: '/logos/categories/vehicles.svg' },
  accountTypes: [1, 2],
  total: 36050,
  workingDays: 2,
  attachmentsCount: 1,
  ours: false,
};

/** A service with one step of three fields and one document; AED 360.50 in all. */
export function serviceRecord(changes: Partial<Service> = {}): Service {
  return {
    ...serviceSummary,
    result: 'رخصة مركبة إلكترونية',
    steps: ['قدّم الطلب', 'ادفع الرسوم'],
    terms: 'تُرد الرسوم عند رفض الطلب.',
    accountTypeNames: ['الأفراد', 'الشركات'],
    related: [],
    eligibility: [],
    form,
    attachments: attachmentRules,
    fees,
    ...changes,
  };
}

/** A request in a list; `new` and not yet received. */
export function requestSummaryRecord(changes: Partial<RequestSummary> = {}): RequestSummary {
  return {
    requestId: 41,
    requestNumber: 'DW-2026-000041',
    serviceId: 7,
    serviceName: 'تجديد ملكية مركبة',
    governmentAgency: agency,
    statusId: 3,
    statusName: 'جديد',
    statusTone: 'progress',
    applicantName: 'مريم الشامسي',
    createdAt: '2026-11-20T06:30:00.000Z',
    updatedAt: '2026-11-20T06:40:00.000Z',
    total: 36050,
    version: 2,
    due: 0,
    promisedBy: '2026-11-24',
    workingDaysLeft: 3,
    allowedActions: ['receive'],
    ...changes,
  };
}

export const attachmentRecord: Attachment = {
  attachmentId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e11',
  name: 'emiratesIdCopy',
  title: 'نسخة من الهوية',
  fileName: 'identity-card.pdf',
  mediaType: 'application/pdf',
  size: 182_000,
  filePath: 'reference-of-identity-card',
  isViewed: false,
  isResult: false,
  scanState: 'clean',
};

/** The whole record of the same request, as its caller sees it. */
export function requestRecordOf(changes: Partial<RequestRecord> = {}): RequestRecord {
  return {
    ...requestSummaryRecord(),
    statusDescription: 'ينتظر الموظف',
    replacedName: 'renew-vehicle-ownership',
    requestLink: 'http://localhost:3000/requests?request=sealed',
    form,
    answers: { plateNumber: 'A 12345', emirateOfPlate: 'dubai' },
    attachmentRules,
    attachments: [attachmentRecord],
    fees,
    payments: [],
    history: [
      {
        action: 'create',
        statusId: 3,
        statusName: 'جديد',
        statusTone: 'progress',
        actorKind: 'applicant',
        actorName: 'مريم الشامسي',
        reasons: [],
        message: '',
        at: '2026-11-20T06:30:00.000Z',
        marks: [],
      },
    ],
    chargingActions: [],
    requiredInputs: {},
    addedFeeVatRate: 500,
    earlierAttachments: [],
    sentUnder: [],
    ...changes,
  };
}
