import type { OwnSession } from '@diwan/contract/people/accounts';
import type { AuditEvent } from '@diwan/contract/people/audit';
import type { CompanyRecord, CompanySummary, CompanyUsers } from '@diwan/contract/people/companies';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import type { PartnerSummary, SupervisorSummary } from '@diwan/contract/people/partners';
import type { SecondFactor, SecondFactorPolicy } from '@diwan/contract/people/second-factor';
import type { Profile } from '@diwan/contract/people/users';
import type { UserRecord, UserSummary } from '@diwan/contract/staff/user-administration';
import { agency } from './records.ts';

// Replies of the server about people. records.test.ts checks each against its schema.

export function profileRecord(changes: Partial<Profile> = {}): Profile {
  return {
    username: 'maryam',
    fullName: 'مريم الشامسي',
    email: 'maryam@example.ae',
    phoneNumber: '+971501234567',
    roles: ['Client'],
    hasPassword: true,
    hasUAEPass: false,
    isEmailVerified: true,
    isPhoneVerified: false,
    ...changes,
  };
}

/** This browser first, then a phone. */
export const ownSessions: OwnSession[] = [
  {
    sessionId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1a01',
    browser: 'Chrome',
    system: 'Windows',
    isUAEPass: false,
    isCurrent: true,
    startedAt: '2026-11-20T05:00:00.000Z',
    lastSeenAt: '2026-11-20T06:00:00.000Z',
  },
  {
    sessionId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1a02',
    browser: 'Safari',
    system: 'iOS',
    isUAEPass: true,
    isCurrent: false,
    startedAt: '2026-11-18T05:00:00.000Z',
    lastSeenAt: '2026-11-19T06:00:00.000Z',
  },
];

/** Not set up and not required. */
export function secondFactorRecord(changes: Partial<SecondFactor> = {}): SecondFactor {
  return {
    isSet: false,
    isRequired: false,
    mustSetUp: false,
    asksPassword: false,
    recoveryCodesLeft: 0,
    ...changes,
  };
}

/** Administrators must have a second factor; two of three employees have none. */
export const policyRecord: SecondFactorPolicy = {
  roles: ['Admin'],
  standing: [
    { role: 'Admin', people: 2, withFactor: 2 },
    { role: 'Employee', people: 3, withFactor: 1 },
    { role: 'ServiceProvider', people: 1, withFactor: 0 },
    { role: 'CompanyUser', people: 4, withFactor: 0 },
  ],
};

export function userRecord(changes: Partial<UserSummary> = {}): UserSummary {
  return {
    id: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1b01',
    username: 'mariam',
    fullName: 'Mariam Al Demo',
    email: 'mariam@example.ae',
    phoneNumber: '+971501112222',
    roles: ['Employee'],
    allAgencies: true,
    agencies: [],
    createdAt: '2026-10-01T05:00:00.000Z',
    lastSignInAt: '2026-11-20T05:00:00.000Z',
    isSuspended: false,
    hasSecondFactor: true,
    hasPassword: true,
    ...changes,
  };
}

/** An employee with a password and a second factor, for an admin. */
export function userDetails(changes: Partial<UserRecord> = {}): UserRecord {
  return {
    ...userRecord(),
    version: 3,
    hasUAEPass: false,
    isEmailVerified: true,
    isPhoneVerified: false,
    isCompanyManager: false,
    readsUrgently: false,
    heldRequestsCount: 0,
    teams: [],
    limitedAgencyIds: [],
    onlyAdministratorOf: [],
    allowedActions: [
      'changeRoles',
      'suspend',
      'resetSecondFactor',
      'sendPasswordCode',
      'endSessions',
    ],
    ...changes,
  };
}

export const companyRecord: CompanySummary = {
  id: 5,
  name: 'شركة النخيل للتجارة',
  licenceNumber: 'CN-1234567',
  isSuspended: false,
  usersCount: 3,
  requestsCount: 12,
};

const companyDetails: CompanyRecord['details'] = {
  street: '',
  city: '',
  emirate: '',
  trn: '',
  licenceNumber: 'CN-1234567',
  licenceAuthority: '',
  licenceExpiresOn: '',
};

export function companyRecordOf(changes: Partial<CompanyRecord> = {}): CompanyRecord {
  return {
    details: companyDetails,
    ...companyRecord,
    names: {
      'ar-EG': companyRecord.name,
      'en-US': 'Palm Trading',
      'ur-PK': 'پام ٹریڈنگ',
    },
    version: 2,
    createdAt: '2026-10-01T05:00:00.000Z',
    openRequestsCount: 4,
    users: [
      {
        userId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1c01',
        fullName: 'Khalid Al Demo',
        email: 'khalid@example.ae',
        isManager: true,
        isSuspended: false,
        lastSignInAt: '2026-11-20T05:00:00.000Z',
      },
    ],
    ...changes,
  };
}

/** A manager, who is the caller, another user, and an open invitation. */
export function companyUsersRecord(changes: Partial<CompanyUsers> = {}): CompanyUsers {
  return {
    details: companyDetails,
    version: 3,
    companyName: 'شركة النخيل للتجارة',
    isManager: true,
    users: [
      {
        userId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1c01',
        fullName: 'Khalid Al Demo',
        email: 'khalid@example.ae',
        phoneNumber: '+971502223333',
        isManager: true,
        isMe: true,
        lastSignInAt: '2026-11-20T05:00:00.000Z',
      },
      {
        userId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1c02',
        fullName: 'Noura Al Demo',
        email: 'noura@example.ae',
        phoneNumber: '+971503334444',
        isManager: false,
        isMe: false,
      },
    ],
    invitations: [
      {
        invitationId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1c11',
        email: 'invited@example.ae',
        invitedBy: 'Khalid Al Demo',
        createdAt: '2026-11-19T05:00:00.000Z',
        expiresAt: '2026-11-26T05:00:00.000Z',
        isExpired: false,
        isSent: true,
      },
    ],
    ...changes,
  };
}

export const partnerSummaryRecord: PartnerSummary = {
  id: 9,
  name: 'مركز الخليج للخدمات',
  servicesCount: 14,
  supervisorsCount: 2,
  requestsCount: 31,
  state: 'active',
};

export const supervisorRecord: SupervisorSummary = {
  id: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01',
  fullName: 'Fatima Al Demo',
  username: 'fatima',
  email: 'fatima@example.ae',
  phoneNumber: '+971504445555',
  partner: { id: 9, name: 'مركز الخليج للخدمات', state: 'active' },
  isSuspended: false,
};

/** A provider whose documents are being verified, for an admin. */
export function partnerRecordOf(changes: Partial<PartnerRecord> = {}): PartnerRecord {
  return {
    partnerId: 9,
    name: 'مركز الخليج للخدمات',
    names: {
      'ar-EG': 'مركز الخليج للخدمات',
      'en-US': 'Gulf Services Centre',
      'ur-PK': 'گلف سروسز سینٹر',
    },
    state: 'verifying',
    version: 3,
    licenceNumber: 'CN-7654321',
    contactName: 'Fatima Al Demo',
    contactEmail: 'fatima@example.ae',
    contactPhone: '+971504445555',
    agencies: [agency],
    documents: [
      {
        documentId: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d11',
        name: 'tradeLicence',
        fileName: 'licence.pdf',
        mediaType: 'application/pdf',
        size: 120_000,
        filePath: 'reference-of-licence',
        isCurrent: true,
        uploadedAt: '2026-11-17T05:00:00.000Z',
        scanState: 'clean',
      },
    ],
    history: [
      {
        id: 1,
        action: 'register',
        state: 'registered',
        reasons: [],
        at: '2026-11-17T06:00:00.000Z',
      },
      {
        id: 2,
        action: 'verify',
        state: 'verifying',
        actor: 'Omar Al Demo',
        reasons: [],
        at: '2026-11-18T06:00:00.000Z',
      },
    ],
    allowedActions: ['accept', 'askAgain', 'refuse'],
    reasons: {
      askAgain: [
        { name: 'letterNotSigned', text: 'خطاب التفويض غير موقّع' },
        { name: 'licenceExpired', text: 'الرخصة منتهية' },
      ],
      refuse: [{ name: 'licenceExpired', text: 'الرخصة منتهية' }],
      suspend: [{ name: 'licenceExpired', text: 'الرخصة منتهية' }],
    },
    openRequestsCount: 3,
    supervisors: [
      {
        id: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d01',
        fullName: 'Fatima Al Demo',
        email: 'fatima@example.ae',
        isSuspended: false,
      },
      {
        id: '0b6f3f0e-4a0b-4a4e-9c55-3f3f2a9f1d02',
        fullName: 'Yousef Al Demo',
        email: 'yousef@example.ae',
        isSuspended: false,
      },
    ],
    createdAt: '2026-11-17T06:00:00.000Z',
    ...changes,
  };
}

export const auditEventRecord: AuditEvent = {
  id: 71,
  at: '2026-11-20T05:00:00.000Z',
  kind: 'rolesChanged',
  username: 'mariam',
  fullName: 'Mariam Al Demo',
  address: '192.0.2.7',
  before: [],
  after: ['Employee'],
};
