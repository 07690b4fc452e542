import { expect, type Page } from '@playwright/test';
import {
  getService,
  getServiceIdByServiceName,
  type Service,
} from '@diwan/contract/catalogue/services';
import type { Answers } from '@diwan/contract/forms/forms';
import { login } from '@diwan/contract/people/users';
import { getHeldActions } from '@diwan/contract/processing/pending-actions';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import { discardDraft, getDrafts } from '@diwan/contract/requests/drafts';
import { createRequest } from '@diwan/contract/requests/request-actions';
import type { Language } from '@diwan/contract/wire/languages';
import { makeAnswers, uploadRequiredDocuments } from '../api/src/testing/requests/demo-request.ts';
import type { Answer, TestApp } from '../api/src/testing/test-app.ts';
import { makePdf } from './make-pdf.ts';
import { journeysPaymentsPort, journeysSandboxPort, portalUrl } from './server.ts';
import { password } from './steps.ts';

export const sandboxUrl = process.env.SANDBOX_URL ?? `http://localhost:${journeysSandboxPort}`;
export const paymentsUrl = `http://localhost:${journeysPaymentsPort}`;

/**
 * Calls the product of the journeys by its contract, to prepare what a journey needs and does not
 * test.
 */
export const call: TestApp['call'] = async (
  each,
  { params = {}, query, body, token, language = 'en-US' } = {},
) => {
  const path = each.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  );
  const isFile = Buffer.isBuffer(body);
  const response = await fetch(
    `${portalUrl}${path}?${new URLSearchParams(query as Record<string, string>)}`,
    {
      method: each.method,
      headers: {
        'accept-language': language,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    },
  );
  const content = await response.json();
  return {
    status: response.status,
    body: content,
    refused: content,
    headers: Object.fromEntries(response.headers),
  } as Answer<typeof each>;
};

/** Makes a new session each time, because a browser that signs out ends its session. */
export async function newToken(username: string): Promise<string> {
  return (await call(login, { body: { username, password } })).body.token;
}

/**
 * Signs a window in without the form, before its first page; later changes of the session are kept.
 */
export const storeSession = async (page: Page, username: string): Promise<void> =>
  storeToken(page, await newToken(username));

/** The same with a token of an earlier sign-in. */
export async function storeToken(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => {
    if (sessionStorage.getItem('planted') !== null) return;
    sessionStorage.setItem('planted', 'yes');
    sessionStorage.setItem('token', value);
  }, token);
}

export async function findService(
  replacedName: string,
  language: Language = 'en-US',
): Promise<Service> {
  const { body } = await call(getServiceIdByServiceName, { query: { serviceName: replacedName } });
  return (await call(getService, { query: { serviceId: body.serviceId }, language })).body;
}

/** Discards the draft that an earlier journey of this user left for a service. */
export async function discardDrafts(username: string, replacedName: string): Promise<void> {
  const token = await newToken(username);
  const drafts = (await call(getDrafts, { token })).body.filter(
    (draft) => draft.replacedName === replacedName,
  );
  for (const { draftId } of drafts) await call(discardDraft, { token, body: { draftId } });
}

/** Sends a request. It is new when its service is free and waits for payment otherwise. */
export async function sendRequest(
  username: string,
  replacedName: string,
  own: Answers = {},
): Promise<{ requestId: number; requestNumber: string }> {
  const token = await newToken(username);
  const service = await findService(replacedName);
  const answers = { ...makeAnswers(service.form), ...own };
  const attachmentIds = await uploadRequiredDocuments({ call }, token, service, answers);
  const { status, body, refused } = await call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers,
      attachmentIds,
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
    },
  });
  if (status !== 200) throw new Error(`not sent: ${JSON.stringify(refused)}`);
  return body;
}

/** Sends a request of a free service with a document of twelve pages and one of one page. */
export async function sendReadableRequest(
  username: string,
  own: Answers = {},
): Promise<{ requestId: number; requestNumber: string }> {
  const token = await newToken(username);
  const service = await findService('register-labour-complaints-private-sector-employees');
  const attachmentIds: string[] = [];
  for (const [name, pages] of [
    ['identityDocument', 12],
    ['evidence', 1],
  ] as const) {
    const content = makePdf(pages);
    const { body } = await call(createAttachment, {
      token,
      body: {
        serviceId: service.id,
        name,
        fileName: `${name}.pdf`,
        mediaType: 'application/pdf',
        size: content.length,
      },
    });
    await call(uploadAttachment, {
      token,
      params: { attachmentId: body.attachmentId },
      body: content,
    });
    attachmentIds.push(body.attachmentId);
  }
  const { status, body, refused } = await call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers: { ...makeAnswers(service.form), ...own },
      attachmentIds,
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
    },
  });
  if (status !== 200) throw new Error(`not sent: ${JSON.stringify(refused)}`);
  return body;
}

/** Waits until an action that can be undone has taken effect on a request. */
export async function waitUntilInEffect(username: string, requestNumber: string): Promise<void> {
  const token = await newToken(username);
  await expect
    .poll(
      async () => (await call(getHeldActions, { token })).body.map((held) => held.requestNumber),
      { timeout: 20_000 },
    )
    .not.toContain(requestNumber);
}
