import * as designs from '@diwan/contract/catalogue/service-designs';
import type { TestApp } from '../test-app.ts';
import type { WellFormed } from './call.ts';

/** Calls of the service designer, each about a new draft or the published service 1. */
export function wellFormedServiceDesigns(app: TestApp): Record<string, WellFormed> {
  const read = async (serviceId: number) =>
    (await app.callAs('admin', designs.getServiceDesign, { query: { serviceId } })).body;
  const beginDraft = async () => {
    const { body } = await app.callAs('admin', designs.createServiceDraft, {
      body: { template: 'blank', agencyId: 1 },
    });
    return { serviceId: body.serviceId, version: 1 };
  };
  /** A saved change of a published service. */
  const changed = async () => {
    const { version, document } = await read(1);
    const { body } = await app.callAs('admin', designs.saveServiceDraft, {
      body: { serviceId: 1, version, document: JSON.stringify(document) },
    });
    return { serviceId: 1, version: body.version };
  };
  const scheduled = async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await app.callAs('admin', designs.publishService, {
      body: { ...(await changed()), at },
    });
    return { serviceId: 1, version: body.version };
  };
  const published = async () => {
    await app.callAs('admin', designs.publishService, { body: await changed() });
    return { serviceId: 1, number: 1 };
  };
  const waiting = async () => {
    const { serviceId, version } = await changed();
    await app.database
      .deleteFrom('waiting_publications')
      .where('service_id', '=', serviceId)
      .execute();
    const { id } = await app.database
      .insertInto('waiting_publications')
      .values({
        service_id: serviceId,
        draft_version: version,
        asked_by: await app.idOf('employee'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { serviceId, id, isConfirmed: false };
  };
  const retired = async () => {
    const serviceId = 2;
    await app.database
      .updateTable('services')
      .set({ deleted_at: new Date() })
      .where('id', '=', serviceId)
      .execute();
    return { serviceId };
  };
  const ofService: WellFormed = { make: () => ({ query: { serviceId: 1 } }) };
  return {
    getServiceDesigns: { make: () => ({}) },
    getRetiredServices: { make: () => ({}) },
    getServiceDesign: ofService,
    createServiceDraft: { make: () => ({ body: { copyOf: 1 } }) },
    saveServiceDraft: {
      make: async () => {
        const { version, document } = await read(1);
        return { body: { serviceId: 1, version, document: JSON.stringify(document) } };
      },
    },
    discardServiceDraft: { make: async () => ({ body: await beginDraft() }) },
    updateServiceDraft: { make: async () => ({ body: await changed() }) },
    publishService: { make: async () => ({ body: await changed() }) },
    cancelPublication: { make: async () => ({ body: await scheduled() }) },
    getWaitingPublications: { make: () => ({}) },
    decidePublication: { make: async () => ({ body: await waiting() }) },
    getServiceVersions: ofService,
    compareServiceVersions: ofService,
    restoreServiceVersion: { make: async () => ({ body: await published() }) },
    restoreService: { make: async () => ({ body: await retired() }) },
  };
}
