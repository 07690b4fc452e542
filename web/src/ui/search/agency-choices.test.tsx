import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  agencyRecords,
  figureGroupsRecord,
  figuresRecord,
  pageOf,
  serviceSummaryRecord,
} from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { userRecord } from '#testing/people-records.ts';
import { agency } from '#testing/records.ts';
import { renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { requestSummaries, statusRecords } from '#testing/request-records.ts';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getServiceClosures } from '@diwan/contract/catalogue/closures';
import {
  getSearchQuestions,
  getSearchTerms,
  getSynonyms,
} from '@diwan/contract/catalogue/searches';
import { getRetiredServices, getServiceDesigns } from '@diwan/contract/catalogue/service-designs';
import { getManagedServices } from '@diwan/contract/catalogue/services';
import { getComplaints } from '@diwan/contract/content/complaints';
import { getAllRejectionReasons } from '@diwan/contract/requests/rejection-reasons';
import { getFigureGroups, getRequestFigures } from '@diwan/contract/requests/reports';
import {
  getAllStatuses,
  getRequestsByStatusId,
  getVisibleAgencies,
} from '@diwan/contract/requests/request-lists';
import { getSavedFilters } from '@diwan/contract/requests/saved-filters';
import { getUnusualReaders } from '@diwan/contract/staff/access-log';
import { getUrgentOpenings } from '@diwan/contract/staff/urgent-reading';
import { getAllUsers } from '@diwan/contract/staff/user-administration';
import type { Role } from '@diwan/contract/wire/call';

const texts = { 'ar-EG': 'نص', 'en-US': 'Text', 'ur-PK': 'متن' };
const both = [agency, agencyRecords[1]!];
const answerServices = () => {
  answerCall(getServiceDesigns, []);
  answerCall(getAllServiceCategory, []);
  answerCall(getAllAccountTypes, []);
  answerCall(getManagedServices, pageOf([serviceSummaryRecord()]));
};
const openClosing = () => page.getByRole('button', { name: 'Close several services' }).click();

interface Place {
  role: Role;
  path: string;
  /** Answers the calls of the page with rows of the agency. */
  answer: () => void;
  /** Opens what the page shows after a click. */
  open?: () => Promise<void>;
  /** A text of the rows that everybody sees. */
  text: string | RegExp;
  /** The names of the filter and of the column. */
  filter?: RegExp;
  column?: string;
  /** The files that decide what this page shows of agencies. */
  files: string[];
}

const places: Place[] = [
  {
    role: 'Employee',
    path: '/requests/all',
    answer: () => {
      answerCall(getAllStatuses, statusRecords);
      answerCall(getSavedFilters, []);
      answerCall(getRequestsByStatusId, pageOf(requestSummaries(1)));
    },
    text: /^DW-/,
    filter: /Agency/,
    column: 'Agency',
    files: ['requests/staff/list/staff-columns.tsx', 'requests/staff/list/staff-filters.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/services',
    answer: answerServices,
    text: serviceSummaryRecord().name,
    filter: /agency/i,
    column: 'Government agency',
    files: ['services/admin-services-page.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/services?show=retired',
    answer: () =>
      answerCall(
        getRetiredServices,
        pageOf([
          {
            serviceId: 3,
            name: 'Old service',
            agencyName: agency.name,
            retiredAt: '2026-11-20T06:30:00.000Z',
          },
        ]),
      ),
    text: 'Old service',
    column: 'Government agency',
    files: ['services/retired-services.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/services/bulk',
    answer: answerServices,
    open: () => page.getByRole('radio', { name: /chosen|choose/i }).click(),
    text: serviceSummaryRecord().name,
    filter: /agency/i,
    column: 'Government agency',
    files: ['catalogue/bulk-scope.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/users',
    answer: () =>
      answerCall(
        getAllUsers,
        pageOf([userRecord({ allAgencies: false, agencies: [{ id: 1, name: agency.name }] })]),
      ),
    open: () => page.getByText('More filters').click(),
    text: 'Mariam Al Demo',
    filter: /agency/i,
    column: 'Company or service provider',
    files: ['users/admin/users-page.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/rejectionReasons',
    answer: () =>
      answerCall(getAllRejectionReasons, [
        {
          id: 4,
          kind: 'correction',
          names: texts,
          agency: { id: 1, name: agency.name },
          isRetired: false,
          version: 1,
        },
      ]),
    text: 'Text',
    column: 'Agency',
    files: ['requests/pages/rejection-reasons-page.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/complaints',
    answer: () =>
      answerCall(
        getComplaints,
        pageOf([
          {
            reference: 'CP-ABCDEFGH23',
            subject: 'staff' as const,
            requestNumber: '',
            text: 'The office was closed.',
            state: 'received' as const,
            at: '2026-11-20T08:00:00.000Z',
            answerBy: '2026-12-04',
            documents: [],
            answers: [],
            complaintId: 4 as never,
            version: 1,
            agencyName: agency.name,
            fullName: 'Salem',
            email: 'a@b.ae',
          },
        ]),
      ),
    text: 'The office was closed.',
    files: ['complaints/admin-complaints-page.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/search',
    answer: () => {
      answerCall(getSearchTerms, pageOf([]));
      answerCall(getSearchQuestions, []);
      answerCall(getSynonyms, [
        { id: 4, words: ['mulkiya'], agency: { id: 1, name: agency.name } },
      ]);
    },
    text: 'mulkiya',
    files: ['searches/searches-page.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/announcements?tab=closures',
    answer: () => {
      answerCall(getAllServiceCategory, []);
      answerCall(getServiceClosures, [
        {
          serviceId: 7,
          serviceName: 'Renew',
          agencyName: agency.name,
          reason: texts,
          from: '2026-11-25T18:00:00.000Z',
          version: 3,
        },
      ]);
    },
    open: openClosing,
    text: 'Renew',
    filter: /agency/i,
    files: ['announcements/closures-tab.tsx', 'announcements/bulk-closure-dialog.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/reports',
    answer: () => {
      answerCall(getRequestFigures, figuresRecord());
      answerCall(getFigureGroups, figureGroupsRecord({ name: 'Renew', agencyName: agency.name }));
    },
    text: 'Renew',
    files: ['reports/figure-groups.tsx', 'reports/top-services.tsx'],
  },
  {
    role: 'AgencyAdmin',
    path: '/dashboard/reading',
    answer: () => {
      answerCall(getUnusualReaders, []);
      answerCall(getUrgentOpenings, [
        {
          openingId: 7,
          requestNumber: 'DW-2026-100200',
          serviceName: 'Renew',
          agencyName: agency.name,
          applicantName: 'Salem Al Demo',
          readerName: 'Hind Al Demo',
          username: 'employee-moi',
          reason: 'danger',
          reasonText: 'The hospital needs the blood group now',
          at: '2026-11-27T08:00:00.000Z',
          until: '2026-11-27T09:00:00.000Z',
          isYours: false,
        } as never,
      ]);
    },
    text: 'Renew',
    files: ['users/admin/urgent-openings.tsx'],
  },
];

const main = page.getByRole('main');
const shown = page.getByRole('main').or(page.getByRole('dialog'));
const answerAgencies = (agencies: typeof both) => {
  answerCall(
    getManagedAgencies,
    agencies.map((each) => ({ ...each, servicesCount: 1 })),
  );
  answerCall(getVisibleAgencies, agencies);
};

describe.each(places)('$path for $role', ({ role, path, answer, open, text, filter, column }) => {
  it.each([
    ['no agency to choose and none in a row for who has one', [agency]],
    ['both for who has two agencies', both],
  ])('shows %s', async (_, agencies) => {
    await useLanguageOfTest('en-US');
    answerAgencies(agencies);
    answer();
    signInAs(role);
    await renderPage(path);
    await open?.();
    await expect.element(main.getByText(text).first()).toBeVisible();
    const isSeveral = agencies.length > 1;
    await expect.poll(() => main.element().textContent.includes(agency.name)).toBe(isSeveral);
    if (column)
      await expect
        .poll(() => main.getByRole('columnheader', { name: column }).elements().length > 0)
        .toBe(isSeveral);
    if (filter) {
      const fields = shown
        .getByRole('combobox', { name: filter })
        .or(shown.getByRole('button', { name: filter }));
      await expect.poll(() => fields.elements().length > 0).toBe(isSeveral);
    }
  });
});

// These files read the agencies for another purpose than a filter or a column.
const others = [
  // The agencies of an account, of a service, and of words and reasons that somebody adds.
  'users/admin/agencies-choice.tsx',
  'service-designs/new-service.tsx',
  'service-designs/panels/service-panels.tsx',
  'searches/synonym-dialog.tsx',
  // Whose teams the page shows; a choice where there are several.
  'teams/teams-page.tsx',
  // The name of the filter that is in the address.
  'requests/staff/list/staff-filter-chips.tsx',
  // Everybody who reads payments has all agencies.
  'payments/administration/journal-tab.tsx',
  'payments/administration/payment-filters.tsx',
];

it('knows every file that offers agencies', () => {
  const sources: Record<string, string> = import.meta.glob('../../features/**/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const reading = Object.entries(sources).flatMap(([file, source]) =>
    !file.includes('.test.') &&
    /useAgencyChoices|useIsOfOneAgency|getManagedAgencies|getVisibleAgencies/.test(source)
      ? [file.replace('../../features/', '')]
      : [],
  );
  const known = [...places.flatMap(({ files }) => files), ...others];
  expect(reading.toSorted()).toEqual(known.toSorted());
});
