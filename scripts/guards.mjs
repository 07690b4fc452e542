// The guards that `npm run test:guards` removes one at a time. `code` must occur exactly once in
// `file` (differences in white space do not count); it is replaced by `without`. At least one of
// `tests` must fail then. A check that another one repeats is not listed: nothing can notice it.

const at =
  (folder) =>
  (kind, file, tests, ...[code, without = '']) => ({
    kind,
    file: `api/src/${folder}/${file}`,
    tests: [tests].flat().map((test) => `api/src/${test}.test.ts`),
    code,
    without,
  });

const http = at('platform/http');
const auth = at('platform/auth');
const files = at('platform/files');
const hubs = at('platform/hubs');
const users = at('features/users');
const requests = at('features/requests');
const payments = at('features/payments');
const attachments = at('features/attachments');
const companies = at('features/companies');
const partners = at('features/partners');
const drafts = at('features/drafts');
const messages = at('features/messages');

const ownData = 'system-tests/own-data';
const othersIds = 'system-tests/others-ids';
const sessionTest = 'platform/auth/sessions';
const codesTest = 'features/users/account/register';
const actingTest = 'features/users/acting/acting';
const identityTest = 'features/users/uae-pass/uae-pass';
const linkTest = 'features/users/uae-pass/link-account';
const factorTest = 'features/users/second-factor/second-factor';
const companyTest = 'features/companies/company-users';
const requestsTest = 'features/requests/requests';
const hostileTest = 'features/requests/actions/hostile-actions';
const uploadsTest = 'features/attachments/hostile-uploads';
const hubsTest = 'platform/hubs/hubs';

const referencesTest = 'platform/auth/signed-references';

export const guards = [
  // The signature was noticed by no test in the review of 2026-11-22: it comes first.
  auth(
    'signature of a file reference',
    'signed-references.ts',
    referencesTest,
    '|| !timingSafeEqual(given, expected)',
  ),
  auth(
    'owner of a file reference',
    'signed-references.ts',
    referencesTest,
    'owner === userId && until',
    'until',
  ),
  auth(
    'expiry of a file reference',
    'signed-references.ts',
    referencesTest,
    '&& until * 1000 > Date.now()',
  ),
  auth(
    'signature of an encrypted token',
    'encrypted-token.ts',
    'platform/auth/encrypted-token',
    'decipher.final(),',
  ),

  // Callers
  http(
    'role of the caller',
    'serve.ts',
    'features/users/admin/user-lists',
    `if (!caller.roles.some((role) => call.who.includes(role)))
      throw new Refusal('YouAreUnauthorized');`,
  ),
  http(
    'restriction of the caller',
    'serve.ts',
    factorTest,
    'if (restriction && !openTo?.includes(restriction)) return restrictionRefusals[restriction];',
  ),
  http(
    'calls while acting for a person',
    'serve.ts',
    actingTest,
    "return actor && !callsWhileActing.has(name) ? 'NotWhileActing' : undefined;",
    'return undefined;',
  ),
  http(
    'limit of calls a minute',
    'serve.ts',
    'features/users/users',
    'if (!perMinute) return',
    'return',
  ),

  http(
    'token of the metrics',
    'metrics.ts',
    'platform/http/metrics',
    'if (token !== undefined && !isBearer(token, request.headers.authorization))',
    'if (false)',
  ),
  http(
    'metrics for strangers',
    'metrics.ts',
    'platform/http/metrics',
    'if (token !== undefined || !isExposed(config)) server.get',
    'server.get',
  ),

  // Sessions
  auth(
    'suspended account at sign-in',
    'sessions.ts',
    identityTest,
    'if (!user || user.suspended_at) return undefined;',
    'if (!user) return undefined;',
  ),
  auth(
    'password that changed during the sign-in',
    'sessions.ts',
    sessionTest,
    `if (passwordHash !== undefined && user.password_hash !== passwordHash)
      throw new Refusal('WrongUsernameOrPassword');`,
  ),
  auth(
    'identity that changed during the sign-in',
    'sessions.ts',
    [sessionTest, linkTest],
    `if (identity !== undefined && user.uaepass_id !== identity)
      throw new Refusal('IdentityNotConfirmed');`,
  ),
  auth(
    'ended session',
    'find-caller.ts',
    sessionTest,
    ".where('sessions.ended_at', 'is', null) .where('users.suspended_at', 'is', null)",
    ".where('users.suspended_at', 'is', null)",
  ),
  auth(
    'age of a session',
    'find-caller.ts',
    sessionTest,
    'session.created_at.getTime() + config.SESSION_SECONDS * 1000 > Date.now() &&',
  ),
  auth(
    'end of acting',
    'find-caller.ts',
    actingTest,
    '&& (session.acts_until?.getTime() ?? Infinity) > Date.now()',
  ),
  auth(
    'idle session',
    'find-caller.ts',
    'platform/auth/idle-sessions',
    'if (isIdle(context, { usedAt: row.used_at, roles: row.roles, isActing })) return undefined;',
  ),
  auth(
    'role of the employee who acts',
    'find-caller.ts',
    actingTest,
    "&& (row.actorRoles ?? []).some((role) => role === 'Employee' || role === 'Admin')",
  ),
  auth(
    'own session of the employee who acts',
    'find-caller.ts',
    actingTest,
    'row.ownEndedAt === null &&',
  ),
  auth(
    'account of the employee who acts',
    'find-caller.ts',
    actingTest,
    'row.actorSuspendedAt === null &&',
  ),
  auth(
    'second use of a token',
    'sessions.ts',
    sessionTest,
    'session.previous_token_id === claims.jti && session.rotated_at.getTime() + reuseGraceMs > Date.now()',
    'true',
  ),

  // Codes
  auth(
    'comparison of a code',
    'verification-codes.ts',
    codesTest,
    'timingSafeEqual(Buffer.from(expected), Buffer.from(given))',
    'true',
  ),
  auth(
    'attempts of a code',
    'verification-codes.store.ts',
    codesTest,
    ".where('attempts', '<', maximumAttempts)",
  ),
  auth(
    'expiry of a code',
    'verification-codes.store.ts',
    [codesTest, 'features/requests/lists/inquire'],
    ".where('expires_at', '>', now) .where('attempts', '<', maximumAttempts)",
    ".where('attempts', '<', maximumAttempts)",
  ),
  auth(
    'codes of an address in a day',
    'verification-codes.store.ts',
    'platform/auth/verification-codes',
    "eb.or([isNewDay, eb('verification_codes.sent', '<', maximumPerDay)])",
    'eb.or([isNewDay, eb.not(isNewDay)])',
  ),
  auth(
    'codes of a network in a day',
    'verification-codes.ts',
    ['features/users/account/forgotten-password', codesTest],
    "if (count > perDayAndNetwork) throw new Refusal('TooManyRequests', { retryAfter: 3600 });",
  ),
  requests(
    'code of a visitor who inquires by mobile number',
    'lists/inquire.actions.ts',
    'features/requests/lists/inquire',
    "if (!(await codes.check('inquiry', phoneNumber, code, now()))) throw new Refusal('VerificationCodeWrong');",
  ),

  // Passwords, second factor, UAE PASS
  users(
    'wait after wrong passwords',
    'sign-in/login-throttle.ts',
    'features/users/sign-in/login-throttle',
    'if (number !== false) return number;',
    'return Number(number);',
  ),
  users(
    'signature of a known browser',
    'sign-in/login-throttle.ts',
    'features/users/sign-in/login-throttle',
    'id && given.length === expected.length && timingSafeEqual(given, expected)',
    'id',
  ),
  users(
    'password of a signed-in person',
    'sign-in/reauthenticate.actions.ts',
    ['features/users/account/own-account', factorTest],
    "if (!isRight) throw new Refusal('IncorrectPassword');",
  ),
  users(
    'second factor at sign-in',
    'users.actions.ts',
    factorTest,
    'await requireSecondFactor(context, person, code, origin);',
  ),
  users(
    'second use of a second factor',
    'second-factor/second-factor.store.ts',
    factorTest,
    ".where('last_step', '<', step) .executeTakeFirstOrThrow(); return numUpdatedRows > 0n; } /** * Consumes",
    '.executeTakeFirstOrThrow(); return numUpdatedRows > 0n; } /** * Consumes',
  ),
  users(
    'second use of a recovery code',
    'second-factor/second-factor.store.ts',
    factorTest,
    ".where('code_hash', 'in', hashes) .where('used_at', 'is', null)",
    ".where('code_hash', 'in', hashes)",
  ),
  users(
    'second factor that the role requires',
    'second-factor/second-factor.actions.ts',
    factorTest,
    "if (await isRequiredOf(context, caller)) throw new Refusal('SecondFactorRequiredByRole');",
  ),
  users(
    'own second factor of an admin',
    'second-factor/second-factor-policy.actions.ts',
    factorTest,
    "if (userId === caller.userId) throw new Refusal('YouAreUnauthorized');",
  ),
  users(
    'browser that began a sign-in',
    'uae-pass/identity-attempts.store.ts',
    identityTest,
    'and browser_hash = ${hashOf(browser)}',
  ),
  users(
    'age of a sign-in',
    'uae-pass/identity-attempts.store.ts',
    identityTest,
    'and created_at > now() - make_interval(mins => ${attemptMinutes})',
  ),
  users(
    'identity that has an owner',
    'uae-pass/link-account.actions.ts',
    linkTest,
    "if (owner) throw new Refusal('IdentityNotConfirmed');",
  ),
  users(
    'restriction of a linked account',
    'uae-pass/link-account.actions.ts',
    linkTest,
    "if (!caller || caller.restriction) throw new Refusal('LinkNotPossible');",
    "if (!caller) throw new Refusal('LinkNotPossible');",
  ),
  users(
    'other identity of a linked account',
    'uae-pass/link-account.actions.ts',
    linkTest,
    'account.uaepass_id || (account.emirates_id && account.emirates_id !== identity.emiratesId)',
    'false',
  ),
  users(
    'language of another supervisor',
    'users.actions.ts',
    'features/users/account/supervisor-language',
    "if (supervisorId !== caller.userId) throw new Refusal('YouAreUnauthorized');",
  ),

  // Acting for a person
  users(
    'acting for staff',
    'acting/acting.actions.ts',
    actingTest,
    "|| person.roles.some((role) => role !== 'CompanyUser' && role !== 'Client')",
  ),
  users(
    'acting for a suspended account',
    'acting/acting.store.ts',
    actingTest,
    ".where('suspended_at', 'is', null) .where(({ or, eb, and }) =>",
    '.where(({ or, eb, and }) =>',
  ),

  // Visibility of requests
  requests(
    'owner of a request',
    'model/visibility.actions.ts',
    requestsTest,
    'requests.user_id = ${caller.userId} and requests.company_id is null',
    'requests.company_id is null',
  ),
  requests(
    'company of a request',
    'model/visibility.actions.ts',
    [requestsTest, companyTest, ownData],
    'requests.user_id = ${caller.userId} and requests.company_id is null',
    'requests.user_id = ${caller.userId}',
  ),
  requests(
    'request of another company',
    'model/visibility.actions.ts',
    [othersIds, ownData],
    'requests.company_id = ${caller.companyId}',
    'requests.company_id is not null',
  ),
  requests(
    'request of another service provider',
    'model/visibility.actions.ts',
    [othersIds, ownData],
    'requests.partner_id = ${caller.partnerId} and requests.came_to_provider',
    'requests.came_to_provider',
  ),
  requests(
    'request that has not come to the provider',
    'model/visibility.actions.ts',
    ['features/requests/lists/request-lists', requestsTest, ownData],
    'requests.partner_id = ${caller.partnerId} and requests.came_to_provider',
    'requests.partner_id = ${caller.partnerId}',
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
    'four eyes',
    'actions/perform-action.actions.ts',
    hostileTest,
    'await refuseOwnRequest(context, transaction, caller, { ...row, role: step.role });',
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
    "if (retryAfter > 0) throw new Refusal('TooManyRequests', { retryAfter });",
  ),
  requests(
    'eligibility for a service',
    'actions/create-request.actions.ts',
    'features/services/eligibility',
    'await refuseIneligible(transaction, caller, service, at);',
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
    "if (refunded > row.refundable) throw new Refusal('RefundTooLarge');",
  ),
  requests(
    'reference of a refund',
    'record/refunds.actions.ts',
    'features/requests/record/refunds',
    "if (known && known.amount !== amount) throw new Refusal('RefundReferenceTaken');",
  ),

  // Payments
  payments(
    'amount that the provider was paid',
    'payments.actions.ts',
    'features/payments/hostile-provider',
    'event.amount === amount && event.currency === currency',
    'event.currency === currency',
  ),
  payments(
    'currency that the provider was paid',
    'payments.actions.ts',
    'features/payments/hostile-provider',
    'event.amount === amount && event.currency === currency',
    'event.amount === amount',
  ),
  payments(
    'payment of more than is due',
    'payments.actions.ts',
    ['features/payments/payments', 'features/payments/hostile-provider'],
    "if (status === 'paid' && amount > due) {",
    'if (false) {',
  ),
  payments(
    'status in which a request is paid',
    'payments.actions.ts',
    ['features/payments/payments', hostileTest],
    "if (!request.isPayable) throw new Refusal('RequestNotPayable');",
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

  // Hubs
  hubs(
    'origin of a hub connection',
    'hubs.ts',
    hubsTest,
    'if (!isOriginAllowed(request.headers, origins)) return 403;',
  ),
  hubs(
    'audience of a hub',
    'hubs.ts',
    hubsTest,
    'return hub.audienceOf(caller) === undefined ? 403 : { hub, caller, token };',
    'return { hub, caller, token };',
  ),
  hubs(
    'hub connections of a user',
    'hubs.ts',
    hubsTest,
    '>= limits.connectionsPerUser',
    '>= Infinity',
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
    ".where('cancelled_at', 'is', null) .where('expires_at', '>', new Date()) .executeTakeFirst(); } /** * Marks",
    ".where('cancelled_at', 'is', null) .executeTakeFirst(); } /** * Marks",
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
    'reader of the messages of a request',
    'messages.routes.ts',
    [othersIds, ownData],
    "if (!(await mayView(caller, query.RequestId))) throw new Refusal('RequestNotFound');",
  ),
];
