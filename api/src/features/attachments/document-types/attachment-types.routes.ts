import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/content/attachment-types';
import {
  addUsualTypes,
  listTypes,
  listUsualTypes,
  orderTypes,
  saveType,
} from './attachment-types.actions.ts';

/** The types of documents from which services are built. */
export function serveAttachmentTypes(context: AppContext): void {
  const { database } = context;
  serve(context, calls.getAttachmentTypes, () => listTypes(database));

  serve(context, calls.getUsualAttachmentTypes, () => listUsualTypes(database));

  serve(context, calls.addUsualAttachmentTypes, async ({ caller, body, request }) => {
    await addUsualTypes(database, { caller, address: request.ip }, body.keys);
    return listTypes(database);
  });

  serve(context, calls.saveAttachmentType, async ({ caller, body, request }) => {
    await saveType(database, { caller, address: request.ip }, body);
    return listTypes(database);
  });

  serve(context, calls.orderAttachmentTypes, async ({ caller, body, request }) => {
    await orderTypes(database, { caller, address: request.ip }, body.ids);
    return listTypes(database);
  });
}
