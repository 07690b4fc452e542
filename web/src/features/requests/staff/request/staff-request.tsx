import { ArrowLeft, Eye } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { listRefreshMs, useStatuses } from '#features/requests/data/requests.data.ts';
import { findAwaitedStep } from '#features/requests/data/status-groups.ts';
import { useMarkViewed } from '#features/requests/documents/documents.data.ts';
import { ProviderDocuments } from '#features/requests/documents/provider-documents.tsx';
import { RequestAnswers } from '#features/requests/form-fields/request-answers.tsx';
import { useOpenRequest } from '#features/requests/live/live-counts.ts';
import { StaffDueDate } from '#features/requests/record/due-date.tsx';
import { MarkControlsProvider } from '#features/requests/record/mark-controls.tsx';
import { PrintButton, PrintFrame } from '#features/requests/record/print-frame.tsx';
import { StaffCertificate } from '#features/requests/record/request-certificate.tsx';
import { RequestNumber, RequestOrigin } from '#features/requests/record/request-header.tsx';
import { RequestMoney } from '#features/requests/record/request-money.tsx';
import { RequestTimeline } from '#features/requests/record/request-timeline.tsx';
import { mayCall, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Card } from '#ui/data/card.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import { requestRefund } from '@diwan/contract/payments/events';
import { getJournal } from '@diwan/contract/payments/journal';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import {
  getRequestViewers,
  type HistoryEntry,
  type RequestRecord,
} from '@diwan/contract/requests/requests';
import { StaffActions } from '../actions/staff-actions.tsx';
import { useActionDrafts } from '../actions/stored-action-drafts.ts';
import { useSeenUpdates } from '../list/last-viewed.ts';
import { useMarking } from '../marks/marking.tsx';
import { RefundRecorder } from '../refunds/refund-recorder.tsx';
import { RefundSender } from '../refunds/refund-sender.tsx';
import { ShortcutList } from '../shortcuts/shortcut-list.tsx';
import { CorrectionChanges } from './correction-changes.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { SplitView } from './split-view.tsx';
import { WaitingCharge } from './waiting-charge.tsx';

interface StaffRequestProps {
  record: RequestRecord;
  list: string;
  /** The notifications to the applicant, and the access log. */
  messages: ReactNode;
  reload: () => Promise<RequestRecord | undefined>;
}

/**
 * A request for staff: answers and the open document side by side, the actions in a bar at the
 * bottom.
 */
export function StaffRequest({ record, list, messages, reload }: StaffRequestProps) {
  const { t } = useTranslation(['requests', 'journal']);
  const mark = useMarkViewed();
  const until = record.openedUrgentlyUntil;
  // Who only reads leaves no trace but that of the access log.
  const markViewed = until === undefined ? mark : doNothing;
  const session = useSession();
  const actionDrafts = useActionDrafts(record.requestId);
  useReloadAfterUndoTime(record, reload);
  const createControls = useMarking(record, actionDrafts.drafts.return.marks, (marks) =>
    actionDrafts.change('return', { marks }),
  );
  return (
    <>
      <PrintFrame
        title={record.serviceName}
        requestNumber={record.requestNumber}
        address={record.requestLink}
      >
        <StaffHeader record={record} list={list} />
        <div className="page xl:max-w-[100rem]! pb-10">
          <div className="flex flex-wrap items-center gap-x-6 gap-y-1 py-2 text-sm">
            <p className="text-ink-600">{record.governmentAgency.name}</p>
            <RequestOrigin record={record} />
            <OtherViewers requestId={record.requestId} />
            <span className="flex flex-wrap items-center gap-x-6 md:hidden">
              <Reference>{record.requestNumber}</Reference>
              {record.onHold ? null : <StaffDueDate request={record} />}
            </span>
          </div>
          {until === undefined ? null : <UrgentAlert until={until} />}
          <ChangesAlert record={record} />
          <ApplicantReason record={record} />
          <RequestStateAlerts record={record} />
          <ObjectionDays record={record} />
          <MarkControlsProvider create={createControls}>
            <SplitView
              start={
                <div className="flex flex-col gap-6">
                  <CorrectionChanges record={record} reload={reload} onViewed={markViewed} />
                  <Card title={t('staff.answers')}>
                    <RequestAnswers record={record} />
                  </Card>
                </div>
              }
              after={
                <div className="flex flex-col gap-6">
                  <Card title={t('record.story')}>
                    <RequestTimeline history={record.history} />
                  </Card>
                  <StaffCertificate record={record} />
                  <ProviderDocuments record={record} isStaff={until === undefined} />
                  {messages}
                  <Card title={t('record.money')}>
                    <RequestMoney
                      record={record}
                      forStaff={
                        mayCall(session, requestRefund) && record.refund ? (
                          <div className="flex flex-wrap gap-2">
                            <RefundSender
                              requestId={record.requestId}
                              refund={record.refund}
                              reload={reload}
                            />
                            {mayCall(session, recordRefund) ? (
                              <RefundRecorder
                                requestId={record.requestId}
                                refund={record.refund}
                                reload={reload}
                              />
                            ) : null}
                          </div>
                        ) : null
                      }
                    />
                    {mayCall(session, getJournal) && record.payments.length > 0 ? (
                      <Link
                        className="link mt-3 inline-block text-sm print:hidden"
                        to={`/dashboard/payments?tab=journal&request=${encodeURIComponent(record.requestNumber)}`}
                      >
                        {t('journal:toJournal')}
                      </Link>
                    ) : null}
                  </Card>
                </div>
              }
              end={
                <DocumentPanel
                  documents={record.attachments.filter(({ isResult }) => !isResult)}
                  results={record.attachments.filter(({ isResult }) => isResult)}
                  reload={reload}
                  onViewed={markViewed}
                />
              }
            />
          </MarkControlsProvider>
        </div>
      </PrintFrame>
      <StaffActions record={record} list={list} actionDrafts={actionDrafts} reload={reload} />
    </>
  );
}

const doNothing = () => undefined;

/** Says of a request that is open by the urgent right that it is, and until when. */
function UrgentAlert({ until }: { until: string }) {
  const { t } = useTranslation('urgent');
  const { time } = useFormat();
  return (
    <div className="pb-4">
      <Alert tone="warning" title={t('page.bannerTitle', { time: `\u2068${time(until)}\u2069` })}>
        {t('page.banner')}
      </Alert>
    </div>
  );
}

/** Who else has the request open, so that two people do not work on it without knowing. */
function OtherViewers({ requestId }: { requestId: number }) {
  const { t } = useTranslation(['staff', 'shell']);
  useOpenRequest(requestId);
  const { data = [] } = useCall(getRequestViewers, {
    query: { RequestId: requestId },
    refetchInterval: listRefreshMs,
    skipErrorHandling: true,
  });
  const names = data.map(({ name }) => `\u2068${name}\u2069`).join(t('shell:listSeparator'));
  return (
    <p role="status" data-no-print data-viewers className="text-sm empty:absolute">
      {data.length > 0 ? (
        <span className="flex items-start gap-2 rounded-full bg-blue-50 px-3 text-blue-700">
          <span className="flex h-lh shrink-0 items-center">
            <Eye aria-hidden size={16} />
          </span>
          <span>{t('live.viewers', { names })}</span>
        </span>
      ) : null}
    </p>
  );
}

/** Beside the list the header has less room for texts. */
const besideList = 'min-[90rem]:max-[100rem]:sr-only';

/** One line that stays at the top while the user reads; on a low screen it scrolls away. */
function StaffHeader({ record, list }: Pick<StaffRequestProps, 'record' | 'list'>) {
  const { t } = useTranslation('requests');
  return (
    <div className="sticky top-0 z-10 border-b border-ink-200 bg-white print:static [@media(height<31.25rem)]:static">
      <div className="page flex min-h-12 items-center gap-3 xl:max-w-[100rem]!">
        <Link
          to={list}
          data-no-print
          aria-label={t('staff.back')}
          className="-ms-3 grid size-12 shrink-0 place-items-center rounded-md text-ink-700 hover:bg-ink-50"
        >
          <ArrowLeft aria-hidden size={20} className="mirror" />
        </Link>
        {/* The whole name: the texts of the request depend on it. */}
        <h1 className="min-w-0 text-sm! leading-(--leading-small)! md:text-base!">
          {record.serviceName}
        </h1>
        <span className="flex shrink-0 items-center max-md:hidden">
          <RequestNumber record={record} />
        </span>
        <span className="flex shrink-0">
          <StatusTag tone={record.statusTone}>{record.statusName}</StatusTag>
        </span>
        <span className="shrink-0 max-lg:hidden">
          <StaffDueDate request={record} />
        </span>
        <span className="ms-auto flex shrink-0 max-xl:hidden">
          <ShortcutList page="request" className={besideList} />
          <PrintButton className={besideList} />
        </span>
      </div>
    </div>
  );
}

/** How often a request is read again on which a charge waits for a second person. */
const confirmationMs = 15_000;

/** Loads the record again once a pending action has taken effect, by whomever it is. */
function useReloadAfterUndoTime(
  { heldAction }: RequestRecord,
  reload: StaffRequestProps['reload'],
): void {
  const load = useEffectEvent(() => void reload());
  useEffect(() => {
    if (!heldAction) return;
    const timer = setTimeout(
      load,
      heldAction.waiting ? confirmationMs : heldAction.actsInMs + 1000,
    );
    return () => clearTimeout(timer);
  }, [heldAction]);
}

/** Explains why no action is allowed: whose step comes next, or that the request is closed. */
function AwaitedStepAlert({ record }: { record: RequestRecord }) {
  const { t } = useTranslation(['requests', 'staff']);
  const statuses = useStatuses();
  const { heldAction } = record;
  if (heldAction?.waiting) return <WaitingCharge record={record} heldAction={heldAction} />;
  if (heldAction)
    return heldAction.isYou ? null : (
      <div data-no-print className="mb-6">
        <Alert tone="warning">
          {t(`staff:held.${heldAction.action}`, { name: `\u2068${heldAction.name}\u2069` })}
        </Alert>
      </div>
    );
  if (record.allowedActions.length > 0 || !statuses.data) return null;
  const key = statuses.data.find((status) => status.statusId === record.statusId)?.key;
  const reason =
    findAwaitedStep(record.statusTone, key) ??
    (record.statusTone === 'progress' ? 'others' : 'closed');
  return (
    <div data-no-print className="mb-6">
      <Alert>{t(`staff.standing.${reason}`)}</Alert>
    </div>
  );
}

/** What the applicant asks staff to decide, in their words: a withdrawal, or an objection. */
function ApplicantReason({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const asked = record.history.findLast(
    ({ action }) => action === 'askToWithdraw' || action === 'object',
  );
  if (!asked || asked.statusId !== record.statusId) return null;
  const { withdrawal } = record;
  return (
    <div className="mb-6">
      <Alert title={t(asked.action === 'object' ? 'record.whyObjected' : 'record.whyWithdrawn')}>
        <TypedText>{asked.message}</TypedText>
        {withdrawal && asked.action === 'askToWithdraw' ? (
          <p>
            {t(
              `withdraw.forStaff.${withdrawal.paid === 0 ? 'unpaid' : withdrawal.refund === 0 ? 'nothing' : 'back'}`,
              { paid: money(withdrawal.paid), refund: money(withdrawal.refund) },
            )}
          </p>
        ) : null}
      </Alert>
    </div>
  );
}

/**
 * What prevents staff from working on the request, first the hold with its whole reason. The server
 * sends the provider's state to staff only, and only while the provider is not active.
 */
function RequestStateAlerts({ record }: { record: RequestRecord }) {
  const { t } = useTranslation(['requests', 'errors', 'staff']);
  const { date } = useFormat();
  const { onHold } = record;
  return (
    <>
      {onHold ? (
        <div className="mb-6">
          <Alert title={t('staff:due.hold', { date: date(onHold.until) })}>
            <TypedText>{onHold.reason}</TypedText>
          </Alert>
        </div>
      ) : null}
      {record.serviceProviderState ? (
        <div className="mb-6">
          <Alert tone="warning" title={t('staff.providerStopped')}>
            {t('staff.providerStoppedText')}
          </Alert>
        </div>
      ) : null}
      {record.isOwnCounterRequest ? (
        <div data-no-print className="mb-6">
          <Alert>{t('errors:refusals.OwnCounterRequest')}</Alert>
        </div>
      ) : record.needsAnotherApprover ? (
        <div data-no-print className="mb-6">
          <Alert>{t('errors:refusals.AnotherApproverNeeded')}</Alert>
        </div>
      ) : (
        <AwaitedStepAlert record={record} />
      )}
    </>
  );
}

const dayMs = 24 * 3_600_000;

/** How long the applicant may still object to the decision, which may be reviewed until then. */
function ObjectionDays({ record: { objectUntil, statusTone } }: { record: RequestRecord }) {
  const { t } = useTranslation('staff');
  const { date } = useFormat();
  if (objectUntil === undefined) return null;
  const left = Math.round((Date.parse(objectUntil) - Date.parse(serverToday())) / dayMs);
  return (
    <div className="mb-6">
      <Alert
        title={t(statusTone === 'refused' ? 'objection.decision' : 'objection.fine', {
          day: date(objectUntil),
        })}
      >
        {left === 0 ? t('objection.lastDay') : t('objection.left', { count: left })}
      </Alert>
    </div>
  );
}

// The full history is shown below on the same page.
const maximumListed = 6;

function ChangeList({ entries }: { entries: readonly HistoryEntry[] }) {
  const { t } = useTranslation('requests');
  const { dateTime } = useFormat();
  return (
    <ul>
      {entries.slice(-maximumListed).map((entry, index) => (
        <li key={`${entry.at} ${index}`}>
          <span className="font-semibold">{t(`story.${entry.action}`)}</span> ·{' '}
          <bdi>{entry.actorName || t(`actors.${entry.actorKind}`)}</bdi> ·{' '}
          <bdi>{dateTime(entry.at)}</bdi>
        </li>
      ))}
    </ul>
  );
}

const byOthers = (entries: readonly HistoryEntry[]) =>
  entries.filter(({ actorKind }) => actorKind !== 'you');

/**
 * What other users did since this user last opened the request, and what they do while it is open.
 */
function ChangesAlert({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('staff');
  const { findSeenUpdate, storeSeenUpdate } = useSeenUpdates();
  const [lastSeenAt] = useState(() => findSeenUpdate(record.requestId));
  const [initialLength] = useState(record.history.length);
  const { requestId, updatedAt } = record;
  useEffect(() => storeSeenUpdate(requestId, updatedAt), [storeSeenUpdate, requestId, updatedAt]);
  const before = record.history.slice(0, initialLength);
  const since =
    lastSeenAt === undefined ? [] : byOthers(before.filter(({ at }) => at > lastSeenAt));
  const now = byOthers(record.history.slice(initialLength));
  return (
    <>
      {since.length > 0 ? (
        <div data-no-print data-changed="since" className="mb-4">
          <Alert title={t('changes.since')}>
            <ChangeList entries={since} />
          </Alert>
        </div>
      ) : null}
      <div data-no-print aria-live="polite">
        {now.length > 0 ? (
          <div data-changed="now" className="mb-4">
            <Alert tone="warning" title={t('changes.now')}>
              <ChangeList entries={now} />
            </Alert>
          </div>
        ) : null}
      </div>
    </>
  );
}
