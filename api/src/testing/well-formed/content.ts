import { makeZip } from '#platform/core/make-zip.ts';
import { getCalendars } from '@diwan/contract/calendars/calendar-calls';
import {
  closeServices,
  closeService,
  getClosableServices,
  openServices,
} from '@diwan/contract/catalogue/closures';
import { saveSearchQuestion, saveSynonyms } from '@diwan/contract/catalogue/searches';
import { getLegalOrder } from '@diwan/contract/content/legal-pages';
import { getPortalDetails } from '@diwan/contract/content/portal-details';
import { getText, saveText } from '@diwan/contract/content/texts';
import type { TestApp } from '../test-app.ts';
import type { WellFormed } from './call.ts';

const plain: WellFormed = { make: () => ({}) };

const inLanguages = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });

/** Calls about what an administrator writes: texts, announcements, closed services. */
export function wellFormedContent(app: TestApp): Record<string, WellFormed> {
  const text = { noun: 'home', key: 'lead' };
  /** A correction of the current version of a text, so that there is something to export. */
  async function correction() {
    const { version } = (
      await app.callAs('admin', getText, { query: { Noun: text.noun, Key: text.key } })
    ).body;
    const texts = [{ language: 'en-US' as const, form: '' as const, text: `Lead ${version}` }];
    return { body: { ...text, version, texts } };
  }
  // The services are those that no other call sends requests for.
  const closure = (serviceId: number) => ({
    body: { serviceId, reason: inLanguages('Works'), from: '2026-01-01T08:00' },
  });
  // Of the last agency, in the future, so that no other call finds its services closed.
  async function ofAgency() {
    const { body } = await app.callAs('admin', getClosableServices, { query: { AgencyId: 30 } });
    return {
      serviceIds: body.open.map(({ serviceId }) => serviceId),
      reason: inLanguages('Works'),
      from: '2099-01-01T08:00',
    };
  }
  // Of the last agency, as it is.
  async function calendarOfAgency() {
    const { body } = await app.callAs('admin', getCalendars);
    const found = body.calendars.find(({ agencyId }) => agencyId === 30);
    const { version = 0, calendar = body.portal } = found ?? {};
    return { body: { agencyId: 30, version, calendar } };
  }
  const ownQuestion = { language: 'en-US' as const, text: 'qqzz', serviceId: 1 };
  // A new group of the agency of most services, as it is.
  async function changedSynonyms() {
    const words = ['qqzz', 'qqyy'];
    const { body } = await app.callAs('admin', saveSynonyms, { body: { words, agencyId: 1 } });
    return { body: { id: body.at(-1)?.id, known: words, words } };
  }
  let closed = 40;
  let templates = 60;
  return {
    recordSearch: { make: () => ({ body: { text: 'visa' } }) },
    getSearchTerms: plain,
    getSynonyms: plain,
    trySynonyms: { make: changedSynonyms },
    saveSynonyms: { make: changedSynonyms },
    markPopular: { make: () => ({ body: { serviceId: 1, isPopular: true } }) },
    getSearchQuestions: plain,
    saveSearchQuestion: { make: () => ({ body: ownQuestion }) },
    removeSearchQuestion: {
      make: async () => {
        const { body } = await app.callAs('admin', saveSearchQuestion, { body: ownQuestion });
        return { body: { id: body.find(({ text: saved }) => saved === ownQuestion.text)?.id } };
      },
    },
    getLegalPage: { make: () => ({ query: { Page: 'terms' } }) },
    getLegalPageVersion: { make: () => ({ query: { Id: 1 } }) },
    getLegalOrder: { make: () => ({ query: { Page: 'terms' } }) },
    saveLegalOrder: {
      async make() {
        const { body } = await app.callAs('admin', getLegalOrder, {
          query: { Page: 'dataSharing' },
        });
        const { version, shown } = body;
        return { body: { page: 'dataSharing', version, shown: shown.map(({ key }) => key) } };
      },
    },
    previewLegalText: {
      make: () => ({ body: { key: 'terms.use.text', texts: inLanguages('Read this.') } }),
    },
    getAnnouncements: plain,
    getStatus: plain,
    getAllAnnouncements: plain,
    // It ends immediately, so that no other test sees it.
    saveAnnouncement: {
      make: () => ({
        body: {
          kind: 'news',
          severity: 'information',
          title: inLanguages('News'),
          text: inLanguages('News'),
          audience: { of: 'everybody' },
          isDismissible: true,
          from: '2026-01-01T08:00',
          isWithdrawn: true,
        },
      }),
    },
    getCertificateTemplates: plain,
    getCertificateTemplate: { make: () => ({ query: { ServiceId: 1 } }) },
    saveCertificateTemplate: {
      make: () => ({
        body: {
          serviceId: (templates += 1),
          title: inLanguages('Certificate'),
          body: inLanguages('Text'),
          validity: { kind: 'none' },
          isActive: false,
        },
      }),
    },
    previewCertificate: {
      make: () => ({
        body: {
          serviceId: 1,
          title: inLanguages('Certificate'),
          body: inLanguages('Text'),
          validity: { kind: 'none' },
          language: 'ur-PK',
        },
      }),
    },
    getCalendars: plain,
    previewCalendar: { make: calendarOfAgency },
    saveCalendar: { make: calendarOfAgency },
    getHolidayFile: { make: () => ({ query: { AgencyId: 30 } }) },
    getServiceDays: { make: () => ({ query: { serviceId: 1 } }) },
    getServiceClosures: plain,
    closeService: { make: () => closure((closed += 1)) },
    getClosableServices: { make: () => ({ query: { AgencyId: 1 } }) },
    closeServices: {
      make: async () => {
        const { body } = await app.callAs('admin', getClosableServices, {
          query: { AgencyId: 30 },
        });
        if (body.closed.length > 0)
          await app.callAs('admin', openServices, {
            body: { serviceIds: body.closed.map(({ serviceId }) => serviceId) },
          });
        return { body: await ofAgency() };
      },
    },
    openServices: {
      make: async () => {
        const { reason, from, ...seen } = await ofAgency();
        if (seen.serviceIds.length > 0)
          await app.callAs('admin', closeServices, { body: { reason, from, ...seen } });
        const { body } = await app.callAs('admin', getClosableServices, {
          query: { AgencyId: 30 },
        });
        return {
          body: { serviceIds: body.closed.map(({ serviceId }) => serviceId) },
        };
      },
    },
    openService: {
      make: async () => {
        closed += 1;
        const { body } = await app.callAs('admin', closeService, closure(closed));
        return { body: { serviceId: closed, version: body.version } };
      },
    },
    getPortalDetails: plain,
    getPortalReadiness: plain,
    hideFirstDay: { make: () => ({ body: {} }) },
    // It saves what is there.
    savePortalDetails: {
      make: async () => ({ body: (await app.callAs('admin', getPortalDetails, {})).body }),
    },
    getTexts: plain,
    getText: { make: () => ({ query: { Noun: text.noun, Key: text.key } }) },
    previewTextReplacement: { make: () => ({ query: { Find: 'qqzz' } }) },
    previewTextImport: {
      make: () => ({ body: { content: makeZip([]).toString('base64') } }),
    },
    saveTexts: {
      make: async () => {
        const { noun, key, version, texts } = (await correction()).body;
        return { body: { places: texts.map((each) => ({ noun, key, version, ...each })) } };
      },
    },
    saveText: { make: correction },
    exportTexts: {
      make: async () => {
        await app.callAs('admin', saveText, await correction());
        return {};
      },
    },
  };
}
