// What a caller may see and do: requests, documents, companies and providers.
import { at } from './guard.mjs';

const files = at('platform/files');
const requests = at('features/requests');
const attachments = at('features/attachments');
const companies = at('features/companies');
const partners = at('features/partners');
const drafts = at('features/drafts');
const messages = at('features/messages');
const ownData = 'system-tests/own-data';
const othersIds = 'system-tests/others-ids';
const companyTest = 'features/companies/company-users';
const workflowTest = 'features/requests/workflow/workflow-drafts';
const requestsTest = 'features/requests/requests';
const hostileTest = 'features/requests/actions/hostile-actions';
const uploadsTest = 'features/attachments/hostile-uploads';

export const recordGuards = [
  // Visibility of requests
  requests(
    'owner of a request',
    'model/requests.store.ts',
    requestsTest,
    'requests.user_id = ${userId} and requests.company_id is null',
    'requests.company_id is null',
  ),
  requests(
    'company of a request',
    'model/requests.store.ts',
    [requestsTest, companyTest, ownData],
    'requests.user_id = ${userId} and requests.company_id is null',
    'requests.user_id = ${userId}',
  ),
  requests(
    'request of another company',
    'model/requests.store.ts',
    [othersIds, ownData],
    'sql`requests.company_id = ${companyId}`',
    'sql`requests.company_id is not null`',
  ),
  requests(
    'request of another service provider',
    'model/requests.store.ts',
    [othersIds, ownData],
    'requests.partner_id = ${partnerId} and requests.came_to_provider',
    'requests.came_to_provider',
  ),
  requests(
    'request that has not come to the provider',
    'model/requests.store.ts',
    ['features/requests/lists/request-lists', requestsTest, ownData],
    'requests.partner_id = ${partnerId} and requests.came_to_provider',
    'requests.partner_id = ${partnerId}',
  ),

  // Actions on requests
  requests(
    'version of a request',
    'actions/perform-action.actions.ts',
    ['features/requests/actions/conflict-errors', hostileTest],
    '(target.version !== undefined && target.version !== row.version) ||',
  ),
  requests(
    'status of a request',
    'actions/perform-action.actions.ts',
    'features/requests/actions/charges',
    '|| (target.statusId !== undefined && target.statusId !== row.status_id)',
  ),
  requests(
    'message that the workflow requires',
    'staff-actions/sent-inputs.ts',
    workflowTest,
    '|| (isRequired && !message)',
  ),
  requests(
    'document that the workflow requires',
    'staff-actions/complete.action.ts',
    workflowTest,
    "step.requires?.includes('document') ||",
  ),
  requests(
    'four eyes',
    'actions/perform-action.actions.ts',
    hostileTest,
    'refuseOwnRequest(context, caller, { ...row, hasActedAtCounter, role: step.role });',
  ),
  requests(
    'reason of a charge',
    'actions/rejection-reasons.actions.ts',
    'features/requests/actions/charges',
    "await selectActiveReasons(transaction, ['fine', 'fee'])",
    'await selectReasons(transaction)',
  ),
  requests(
    'result of a completed request',
    'staff-actions/complete.action.ts',
    'features/requests/actions/request-actions',
    "if (needsResult && !sent.results?.length) throw new Refusal('ResultRequired');",
    'void needsResult;',
  ),
  requests(
    'charge that the workflow requires',
    'staff-actions/grant.action.ts',
    workflowTest,
    "if (requires.includes('fee') && fines + fees === 0)",
    "if (requires.includes('fee') && fines + fees < 0)",
  ),
  requests(
    'reason that the workflow requires',
    'staff-actions/return.action.ts',
    workflowTest,
    "if (requires.includes('reason') && reasons.length === 0)",
    "if (requires.includes('reason') && reasons.length < 0)",
  ),
  requests(
    'role of a transition',
    'workflow/workflow.ts',
    ['features/requests/workflow/workflow-transitions', hostileTest],
    'return who.includes(role) && isHolder && canActAs',
    'return isHolder && canActAs',
  ),
  requests(
    'holder of a request',
    'workflow/workflow.ts',
    ['features/requests/workflow/workflow-transitions', hostileTest],
    'who.includes(role) && isHolder && canActAs',
    'who.includes(role) && canActAs',
  ),
  requests(
    'VAT of added fees',
    'actions/charges.ts',
    'features/requests/actions/charges',
    "if (feesVat !== undefined && feesVat !== vat) throw new Refusal('ChargeVatWrong');",
  ),
  requests(
    'step that can charge',
    'actions/charges.ts',
    'features/requests/actions/charges',
    "if (step.toPay === undefined) throw new Refusal('ChargeNotPossible');",
  ),
  requests(
    'agreement to the terms',
    'actions/create-request.actions.ts',
    ['features/requests/actions/create-request', requestsTest],
    "if (!sent.hasAgreed) throw new Refusal('TermsNotAccepted');",
  ),
  requests(
    'requests of a person in a day',
    'actions/create-request.actions.ts',
    'system-tests/flood',
    "if (facts.retryAfter > 0) throw new Refusal('TooManyRequests', { retryAfter: facts.retryAfter });",
  ),
  requests(
    'eligibility for a service',
    'actions/create-request.actions.ts',
    'features/services/eligibility',
    'refuseIneligible(service, read.eligibility);',
  ),
  requests(
    'answers of a form',
    'actions/create-request.actions.ts',
    'features/requests/actions/create-request',
    'if (issues.length > 0) throw new ValidationRefusal(issues);',
  ),
  requests(
    'amount of a refund',
    'record/refunds.actions.ts',
    'features/requests/record/refunds',
    "if (refunded + started > row.refundable) throw new Refusal('RefundTooLarge');",
  ),
  requests(
    'reference of a refund',
    'record/refunds.actions.ts',
    'features/requests/record/refunds',
    "if (known && known.amount !== amount) throw new Refusal('RefundReferenceTaken');",
  ),

  // Documents
  files(
    'sender of an upload',
    'document-uploads.ts',
    [othersIds, uploadsTest],
    'if (!row || row.user_id !== caller.userId)',
    'if (!row)',
  ),
  files(
    'document with harmful content',
    'document-uploads.ts',
    'platform/files/scanner',
    "if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected'); return row; } /** Opens",
    'return row; } /** Opens',
  ),
  files(
    'size of a file',
    'document-intake.ts',
    'features/attachments/block-uploads',
    "if (file.size !== expected.size) throw new Refusal('AttachmentIncomplete');",
  ),
  files(
    'type of a file',
    'document-intake.ts',
    [uploadsTest, 'platform/files/document-intake', 'features/attachments/attachments'],
    "if (!limits.mediaTypes.includes(mediaType)) throw new Refusal('AttachmentTypeNotAccepted');",
  ),
  files(
    'forbidden content of a PDF',
    'file-inspection.ts',
    'platform/files/file-inspection',
    'if (refused) throw new Refusal(findingRefusals[refused]);',
  ),
  attachments(
    'reader of a document',
    'attachments.actions.ts',
    [companyTest, 'features/attachments/download-file'],
    'await context.mayView(caller, row.request_id)',
    'true',
  ),
  attachments(
    'document that the provider hides',
    'attachments.actions.ts',
    'features/requests/documents/provider-documents',
    '|| (isHiddenFromApplicant(row) && !isStaff(caller))',
  ),
  attachments(
    'harmful document that is opened',
    'attachments.actions.ts',
    ['platform/files/scanner', 'features/requests/documents/infected-documents'],
    "if (row.scan_state === 'infected') throw new Refusal('AttachmentInfected');",
  ),
  attachments(
    'reader of an own card',
    'attachments.actions.ts',
    'features/attachments/read-card',
    'found?.uploaded_at && found.user_id === caller.userId',
    'true',
  ),
  attachments(
    'document that waits for its scan',
    'attachments.actions.ts',
    ['platform/files/scanner', 'features/requests/documents/infected-documents'],
    "if (row.scan_state === 'waiting' && row.user_id !== caller.userId) throw new Refusal('AttachmentBeingScanned');",
  ),
  attachments(
    'provider who adds a document',
    'attachments.actions.ts',
    ['features/requests/documents/provider-documents', othersIds],
    'request.partner_id === caller.partnerId && request.came_to_provider',
    'true',
  ),
  attachments(
    'owner who replaces a document',
    'attachments.actions.ts',
    uploadsTest,
    '|| !isOwnRequest(caller, request)',
  ),
  requests(
    'uploader of a result',
    'model/request-documents.ts',
    [othersIds, hostileTest],
    'row.request_id === null && row.user_id === caller.userId && row.announced_for === requestId &&',
    'row.request_id === null && row.announced_for === requestId &&',
  ),
  requests(
    'request of a result',
    'model/request-documents.ts',
    ['features/attachments/block-uploads', hostileTest],
    'row.request_id === null && row.user_id === caller.userId && row.announced_for === requestId &&',
    'row.request_id === null && row.user_id === caller.userId &&',
  ),

  // Companies, service providers, drafts, messages
  companies(
    'manager of a company',
    'company-users.actions.ts',
    companyTest,
    "if (!me?.is_company_manager) throw new Refusal('YouAreUnauthorized');",
  ),
  companies(
    'address of an invitation',
    'join-company.actions.ts',
    companyTest,
    "if (account.email.toLowerCase() !== invitation.email) throw new Refusal('InvitationForAnotherAddress');",
  ),
  companies(
    'account that cannot join a company',
    'join-company.actions.ts',
    companyTest,
    `if (account.roles.length > 0 || account.company_id !== null || account.partner_id !== null)
      throw new Refusal('AccountCannotJoinCompany');`,
  ),
  companies(
    'expiry of an invitation',
    'company-users.store.ts',
    companyTest,
    ".where('expires_at', '>', new Date())",
  ),
  companies(
    'invitations in a day',
    'company-invitations.actions.ts',
    companyTest,
    `if ((await store.countInvitationsToday(transaction, companyId)) >= invitationsInDay)
      throw new Refusal('TooManyRequests', { retryAfter: 3600 });`,
  ),
  partners(
    'reader of a document of a provider',
    'partner-documents.actions.ts',
    ['features/partners/partner-life', ownData],
    "(caller.roles.includes('Admin') || row?.partner_id === caller.partnerId)",
    'true',
  ),
  partners(
    'step of a provider’s life',
    'partner-transitions.actions.ts',
    'features/partners/partner-life',
    "if (version !== undefined && version !== partner.version) throw new Refusal('ProviderHasChanged');",
  ),
  drafts(
    'revision of a draft',
    'drafts.actions.ts',
    'features/drafts/drafts',
    "if (row && row.revision !== sent.revision) throw new Refusal('DraftHasChanged');",
  ),
  drafts(
    'number of drafts',
    'drafts.actions.ts',
    'features/drafts/drafts',
    `if ((await store.countOpenDrafts(transaction, userId)) >= maximum)
      throw new Refusal('DraftLimitReached', { maximum });`,
  ),
  messages(
    'proof of an address for messages',
    'messages.actions.ts',
    'features/messages/notifications',
    "if (type.channels.some((channel) => !proved.includes(channel))) throw new Refusal('AddressNotProved');",
  ),
  messages(
    'push service of a browser',
    'push-subscriptions.routes.ts',
    'features/messages/push-subscriptions',
    "if (!push.isAccepted(body.endpoint)) throw new Refusal('PushServiceUnknown');",
  ),
  messages(
    'key of a browser',
    'push-subscriptions.routes.ts',
    'features/messages/push-subscriptions',
    'checkPublicKey(body.publicKey);',
  ),
  messages(
    'user of a browser',
    'push-subscriptions.store.ts',
    'features/messages/push-subscriptions',
    'and user_id <> ${userId}',
    'and false',
  ),
  at('features/users/sign-in')(
    'browsers of a session that ended',
    'own-sessions.store.ts',
    'features/messages/push-subscriptions',
    'await endPushSubscriptions(transaction, userId, only === undefined ? { except: null } : { only });',
  ),
  messages(
    'reader of the messages of a request',
    'messages.routes.ts',
    [othersIds, ownData],
    "if (!(await mayView(caller, query.RequestId))) throw new Refusal('RequestNotFound');",
  ),
];
