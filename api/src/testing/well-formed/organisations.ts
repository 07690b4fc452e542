import { inviteCompanyUser, getCompanyUsers } from '@diwan/contract/people/companies';
import * as registration from '@diwan/contract/people/partner-registration';
import { smallPdf } from '../requests/demo-request.ts';
import type { TestApp } from '../test-app.ts';
import { insertSpareUser } from './accounts.ts';
import type { Person, WellFormed } from './call.ts';

const password = 'Quiet-Lanterns-7042!';

/**
 * Calls about companies, service providers and teams; the company is `company`'s, the provider
 * `supervisor`'s.
 */
export function wellFormedOrganisations(app: TestApp): Record<string, WellFormed> {
  let made = 0;
  const fresh = (word: string) => `${word}-${(made += 1)}`;
  const rowOf = (username: string) =>
    app.database
      .selectFrom('users')
      .selectAll()
      .where('username', '=', username)
      .executeTakeFirstOrThrow();

  async function invite(email: string): Promise<{ invitationId: string; token: string }> {
    // Resets the limit of invitations by day: the matrix tests permissions.
    await app.database
      .updateTable('company_invitations')
      .set({ created_at: new Date(Date.now() - 2 * 86_400_000) })
      .execute();
    const as = await app.signIn('company');
    await app.call(inviteCompanyUser, { token: as, body: { email } });
    const { body } = await app.call(getCompanyUsers, { token: as });
    const { body: mail } = await app.database
      .selectFrom('sandbox.messages')
      .select('body')
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return {
      invitationId: body.invitations.find((each) => each.email === email)?.invitationId ?? '',
      token: /\/companies\/join#([\w-]+)/.exec(mail)?.[1] ?? '',
    };
  }
  const colleague = async () =>
    insertSpareUser(app, fresh('colleague'), (await rowOf('company')).company_id ?? undefined);
  /** An employee of the first agency. */
  async function clerk(): Promise<string> {
    const id = await insertSpareUser(app, fresh('clerk'));
    await app.database
      .updateTable('users')
      .set({ roles: ['Employee'] })
      .where('id', '=', id)
      .execute();
    await app.database.insertInto('staff_agencies').values({ user_id: id, agency_id: 1 }).execute();
    return id;
  }
  const ofCompany = (make: () => Promise<Record<string, unknown>>): WellFormed => ({
    owner: 'company',
    make: async () => ({ body: await make() }),
  });

  const file = {
    name: 'tradeLicence' as const,
    fileName: 'licence.pdf',
    mediaType: 'application/pdf',
    size: smallPdf.length,
  };
  async function announce(
    as: Person,
    name: registration.PartnerDocumentName = 'tradeLicence',
  ): Promise<string> {
    return (
      await app.call(registration.createPartnerDocument, {
        token: await app.signIn(as),
        body: { ...file, name },
      })
    ).body.documentId;
  }
  async function send(as: Person, name?: registration.PartnerDocumentName): Promise<string> {
    const documentId = await announce(as, name);
    await app.call(registration.uploadPartnerDocument, {
      token: await app.signIn(as),
      params: { documentId },
      body: smallPdf,
    });
    return documentId;
  }
  const companyName = { 'ar-EG': 'شركة', 'en-US': 'Company', 'ur-PK': 'کمپنی' };
  async function insertCompany(suspended_at: Date | null = null) {
    const { id, version } = await app.database
      .insertInto('companies')
      .values({ name: JSON.stringify(companyName), suspended_at })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    return { companyId: id, version };
  }
  const details = () => ({
    nameAr: 'مركز الاختبار',
    nameEn: 'Test Centre',
    licenceNumber: fresh('L'),
    agencyIds: [1, 2],
    contactName: 'Contact Person',
    contactEmail: 'office@example.com',
    contactPhone: '050 123 4567',
  });
  const bothDocuments = async (as: Person) => [
    await send(as),
    await send(as, 'authorisationLetter'),
  ];
  const partner = { nameAr: 'مركز', nameEn: 'Centre' };
  const insertPartner = () =>
    app.database
      .insertInto('partners')
      .values({
        name: JSON.stringify({
          'ar-EG': partner.nameAr,
          'en-US': partner.nameEn,
          'ur-PK': partner.nameEn,
        }),
        state: 'registered',
      })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();

  return {
    getAllCompanies: { make: () => ({}) },
    getCompanyUsers: { make: () => ({}) },
    saveCompanyDetails: {
      make: async () => {
        // Each company saves over its own version.
        await app.database.updateTable('companies').set({ version: 1 }).execute();
        const nowhere = { street: '', city: '', emirate: '' as const, trn: '' };
        const licence = { licenceNumber: '', licenceAuthority: '', licenceExpiresOn: '' };
        return { body: { ...nowhere, ...licence, version: 1 } };
      },
    },
    inviteCompanyUser: { make: () => ({ body: { email: `${fresh('guest')}@mail.example` } }) },
    resendCompanyInvitation: ofCompany(async () => ({
      invitationId: (await invite(`${fresh('guest')}@mail.example`)).invitationId,
    })),
    cancelCompanyInvitation: ofCompany(async () => ({
      invitationId: (await invite(`${fresh('guest')}@mail.example`)).invitationId,
    })),
    removeCompanyUser: ofCompany(async () => ({ userId: await colleague() })),
    setCompanyManager: ofCompany(async () => ({ userId: await colleague(), isManager: true })),
    readCompanyInvitation: {
      make: async () => ({
        body: { token: (await invite(`${fresh('guest')}@mail.example`)).token },
      }),
    },
    acceptCompanyInvitation: {
      owner: 'individual',
      make: async () => ({ body: { token: (await invite('individual@example.com')).token } }),
    },
    joinCompany: {
      make: async () => {
        const { token } = await invite(`${fresh('joiner')}@mail.example`);
        return {
          body: {
            token,
            username: fresh('joiner'),
            fullName: 'New Person',
            phoneNumber: '050 123 4567',
            password: password,
            confirmPassword: password,
          },
        };
      },
    },
    createPartnerDocument: { make: () => ({ body: file }) },
    uploadPartnerDocument: {
      owner: 'individual',
      make: async () => ({ params: { documentId: await announce('individual') }, body: smallPdf }),
    },
    completePartnerDocument: {
      owner: 'individual',
      make: async () => ({ params: { documentId: await send('individual') } }),
    },
    renewPartnerUpload: {
      owner: 'individual',
      make: async () => ({ params: { documentId: await announce('individual') } }),
    },
    downloadPartnerDocument: {
      owner: 'supervisor',
      make: async () => {
        const id = await send('supervisor');
        await app.database
          .updateTable('partner_documents')
          .set({ replaced_at: new Date() })
          .where('partner_id', 'is not', null)
          .where('replaced_at', 'is', null)
          .execute();
        await app.database
          .updateTable('partner_documents')
          .set({ partner_id: (await rowOf('supervisor')).partner_id })
          .where('id', '=', id)
          .execute();
        const { body } = await app.call(registration.getOwnPartnerRecord, {
          token: await app.signIn('supervisor'),
        });
        return {
          query: {
            filePath: body.documents.find(({ documentId }) => documentId === id)?.filePath ?? '',
          },
        };
      },
    },
    registerPartner: {
      owner: 'individual',
      make: async (as) => {
        const sender = as === 'individual2' ? as : 'individual';
        // A user with requests cannot register a provider.
        await app.database
          .updateTable('requests')
          .set({ user_id: await insertSpareUser(app, fresh('heir')) })
          .where('user_id', '=', (await rowOf(sender)).id)
          .execute();
        return {
          body: {
            ...details(),
            documentIds: await bothDocuments(sender),
            agreeToTermsAndConditions: true,
          },
        };
      },
    },
    resubmitPartner: {
      owner: 'supervisor',
      make: async (as) => {
        const sender = as === 'supervisor2' ? as : 'supervisor';
        const documentIds = await bothDocuments(sender);
        const { version } = await app.database
          .updateTable('partners')
          .set({ state: 'needsDocuments' })
          .where('id', '=', (await rowOf(sender)).partner_id)
          .returning('version')
          .executeTakeFirstOrThrow();
        return { body: { ...details(), documentIds, version } };
      },
    },
    getTeams: { make: () => ({ query: { AgencyId: 1 } }) },
    saveTeam: {
      make: async () => ({
        body: {
          agencyId: 1,
          version: 0,
          name: fresh('Team '),
          memberIds: [await clerk()],
          serviceIds: [],
          categoryIds: [1],
        },
      }),
    },
    deleteTeam: {
      make: async () => {
        const { id, version } = await app.database
          .insertInto('teams')
          .values({ agency_id: 1, name: fresh('Team ') })
          .returning(['id', 'version'])
          .executeTakeFirstOrThrow();
        return { body: { agencyId: 1, id, version } };
      },
    },
    changeTeamReach: {
      make: async () => ({
        body: { agencyId: 1, userId: await clerk(), seesWholeAgency: false },
      }),
    },
    getOwnPartnerRecord: { make: () => ({}) },
    getOwnPartner: { make: () => ({}) },
    getPartnerById: {
      owner: 'supervisor',
      make: async () => ({ query: { PartnerId: (await rowOf('supervisor')).partner_id ?? 0 } }),
    },
    addSupervisor: {
      make: async () => {
        const { username } = await app.database
          .selectFrom('users')
          .select('username')
          .where('id', '=', await insertSpareUser(app, fresh('helper')))
          .executeTakeFirstOrThrow();
        return { body: { partnerId: (await insertPartner()).id, username } };
      },
    },
    removeSupervisor: {
      make: async () => {
        const { id } = await insertPartner();
        const people = [
          await insertSpareUser(app, fresh('helper')),
          await insertSpareUser(app, fresh('helper')),
        ];
        await app.database
          .updateTable('users')
          .set({ roles: ['ServiceProvider'], partner_id: id })
          .where('id', 'in', people)
          .execute();
        return { body: { partnerId: id, userId: people[0] } };
      },
    },
    changePartnerState: {
      owner: 'supervisor',
      make: async () => {
        const { id, version } = await insertPartner();
        return { body: { partnerId: id, action: 'verify', version } };
      },
    },
    getCompanyById: {
      make: async () => ({ query: { CompanyId: (await rowOf('company')).company_id ?? 0 } }),
    },
    updateCompany: {
      make: async () => ({
        body: { ...(await insertCompany()), name: companyName, licenceNumber: '' },
      }),
    },
    suspendCompany: {
      make: async () => ({ body: { ...(await insertCompany()), reason: 'Licence expired' } }),
    },
    restoreCompany: {
      make: async () => ({ body: await insertCompany(new Date()) }),
    },
    previewPartnerServices: {
      make: async () => ({
        body: { partnerId: (await insertPartner()).id, isAssigned: true, serviceIds: [1] },
      }),
    },
    savePartnerServices: {
      make: async () => {
        const { id: partnerId } = await insertPartner();
        // A service whose requests no other call is about.
        const { id: serviceId } = await app.database
          .updateTable('services')
          .set({ partner_id: partnerId })
          .where('id', '=', (eb) =>
            eb.selectFrom('services').select((max) => max.fn.max('id').as('id')),
          )
          .returning('id')
          .executeTakeFirstOrThrow();
        const services = [{ serviceId, partnerId }];
        return { body: { partnerId, isAssigned: false, services, openRequests: 'stay' } };
      },
    },
    updatePartner: {
      owner: 'supervisor',
      make: async () => {
        const { id: partnerId, version } = await insertPartner();
        const name = { 'ar-EG': 'مركز', 'en-US': 'Centre', 'ur-PK': 'مرکز' };
        return { body: { partnerId, version, name } };
      },
    },
    getAllPartners: { make: () => ({}) },
    getAllServiceProviders: { make: () => ({}) },
  };
}
