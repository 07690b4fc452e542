import { useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { DifferenceLine } from '#ui/designs/difference-line.tsx';
import { noText } from '#ui/editing/localized-fields.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import {
  restoreServiceVersion,
  discardServiceDraft,
  publishService,
  cancelPublication,
  type getServiceVersions,
} from '@diwan/contract/catalogue/service-designs';
import type { DesignDifference, ServiceDesign } from '@diwan/contract/catalogue/service-designs';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { useRequestsLeft, useServiceVersions, type DesignEditor } from '../design-editor.data.ts';
import { FeeChanges, WaitingPublicationAlert } from './waiting-publication.tsx';

interface ViewProps {
  serviceId: number;
  editor: DesignEditor;
  /** Shows the problems that prevent publishing. */
  onProblems: () => void;
}

type Question =
  | { kind: 'publish'; at?: string | undefined }
  | { kind: 'discard' }
  | { kind: 'restore'; number: number };

/** What happens to requests and drafts: said before each publication. */
function Effects() {
  const { t } = useTranslation('designer');
  return (
    <ul className="mt-3 flex list-disc flex-col gap-1 ps-5">
      {(['visitors', 'requests', 'drafts', 'versions'] as const).map((name) => (
        <li key={name}>{t(`publish.effects.${name}`)}</li>
      ))}
    </ul>
  );
}

/** From how many times the old fee on, or down to what part of it, a new fee is probably a slip. */
const unlikelyFactor = 10;

function isUnlikely({ part, property, before, after }: DesignDifference): boolean {
  if (part !== 'fee' || property !== 'amount') return false;
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  return after > before * unlikelyFactor || after * unlikelyFactor < before;
}

/** Fees that become more than ten times the old one, or less than a tenth of it, with both amounts. */
function UnlikelyFees({ serviceId }: { serviceId: number }) {
  const { t } = useTranslation('designer');
  const { differences } = useServiceVersions(serviceId, {});
  const fees = (differences.data ?? []).filter(isUnlikely).map(({ path, before, after }) => ({
    title: path.at(-1) ?? noText,
    before: Number(before),
    after: Number(after),
  }));
  if (fees.length === 0) return null;
  return (
    <Alert tone="warning" title={t('publish.unlikelyFees')}>
      <FeeChanges fees={fees} />
    </Alert>
  );
}

function QuestionDialog({
  serviceId,
  question,
  editor,
  onClose,
}: {
  serviceId: number;
  question: Question;
  editor: DesignEditor;
  onClose: () => void;
}) {
  const { t } = useTranslation('designer');
  const { kind } = question;
  const run = async () => {
    const isDone =
      kind === 'publish'
        ? await editor.publish(question.at)
        : kind === 'discard'
          ? await editor.discard()
          : await editor.restoreVersion(question.number);
    onClose();
    const done =
      kind !== 'discard' && editor.isWaiting()
        ? 'waiting'
        : kind === 'publish' && question.at !== undefined
          ? 'scheduled'
          : kind;
    if (isDone) showToast(t(`publish.done.${done}`), 'success');
  };
  const number = kind === 'restore' ? question.number : 0;
  const move = editor.design.agencyMove;
  return (
    <ConfirmDialog
      title={t(`publish.ask.${kind}`, { number })}
      confirmLabel={t(`publish.confirm.${kind}`)}
      cancelLabel={t('publish.keep')}
      isDangerous={kind === 'discard'}
      isPending={editor.pending !== ''}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      {kind === 'publish' && question.at !== undefined ? (
        <p className="mb-2 font-semibold">
          <Moment at={question.at} />
        </p>
      ) : null}
      {kind === 'publish' ? <UnlikelyFees serviceId={serviceId} /> : null}
      {kind === 'publish' && move && !move.isMoving ? <AgencyMoveAlert move={move} /> : null}
      {kind === 'discard' ? <p>{t('publish.discardText')}</p> : <Effects />}
    </ConfirmDialog>
  );
}

/** The time as the server reads it; undefined for one that is not complete. */
function readTime(text: string): string | undefined {
  const at = new Date(`${text}+04:00`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

function PublishCard({
  editor,
  onProblems,
  onAsk,
}: Omit<ViewProps, 'serviceId'> & { onAsk: (question: Question) => void }) {
  const { t } = useTranslation('designer');
  const [when, setWhen] = useState('now');
  const [time, setTime] = useState('');
  const [timeError, setTimeError] = useState<string>();
  const { design, view } = editor;
  const errors = design.problems.filter(({ severity }) => severity === 'error').length;
  const hasDraft = design.version > 0 || view.state !== 'none';
  const ask = async () => {
    const problems = await editor.check();
    if (!problems) return;
    if (problems.some(({ severity }) => severity === 'error')) return onProblems();
    if (when === 'now') return onAsk({ kind: 'publish' });
    const at = readTime(time);
    if (at === undefined || new Date(at).getTime() <= serverNow())
      return setTimeError(t(at === undefined ? 'publish.timeMissing' : 'publish.timePassed'));
    onAsk({ kind: 'publish', at });
  };
  if (!hasDraft) return <p className="text-ink-600">{t('publish.nothing')}</p>;
  return (
    <div className="flex flex-col gap-5">
      {errors > 0 ? (
        <Alert
          tone="danger"
          title={t('publish.blocked', { count: errors })}
          action={
            <Button size="sm" variant="secondary" onPress={onProblems}>
              {t('publish.showProblems')}
            </Button>
          }
        />
      ) : null}
      <RadioGroup
        label={t('publish.when')}
        isInline
        value={when}
        onChange={setWhen}
        choices={['now', 'later'].map((value) => ({ value, label: t(`publish.${value}`) }))}
      />
      {when === 'later' ? (
        <TextField
          type="datetime-local"
          label={t('publish.time')}
          description={t('publish.timeHint')}
          dir="ltr"
          width="medium"
          value={time}
          error={timeError}
          onChange={(text) => {
            setTime(text);
            setTimeError(undefined);
          }}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button
          call={publishService}
          onPress={() => void ask()}
          isPending={editor.pending === 'publish' || editor.pending === 'check'}
        >
          {t(when === 'now' ? 'publish.publishNow' : 'publish.publishLater')}
        </Button>
        <Button
          call={discardServiceDraft}
          variant="quiet"
          onPress={() => onAsk({ kind: 'discard' })}
        >
          {t('publish.discard')}
        </Button>
      </div>
    </div>
  );
}

/** What differs between two versions, in words, in the order of the service. */
function DifferenceList({
  differences,
  empty,
}: {
  differences: readonly DesignDifference[];
  empty: string;
}) {
  if (differences.length === 0) return <p className="text-ink-600">{empty}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {differences.map((difference, index) => (
        <li key={index} className="border-s-3 border-ink-200 py-1 ps-3 wrap-anywhere">
          <DifferenceLine difference={difference} />
        </li>
      ))}
    </ul>
  );
}

type AgencyMove = NonNullable<ServiceDesign['agencyMove']>;

const isolate = (name: string) => `\u2068${name}\u2069`;

/** How many open requests go to another agency with the service when it is published. */
function AgencyMoveAlert({ move }: { move: AgencyMove }) {
  const { t } = useTranslation('designer');
  return (
    <Alert tone="warning">
      {t('publish.requestsMove', { count: move.openRequests, agency: isolate(move.agencyName) })}
    </Alert>
  );
}

/** How many open requests have not followed their service yet, until all have. */
function MovingAlert({ serviceId, move }: { serviceId: number; move: AgencyMove }) {
  const { t } = useTranslation('designer');
  const left = useRequestsLeft(serviceId, move.openRequests);
  const agency = isolate(move.agencyName);
  return (
    <Alert tone={left > 0 ? 'info' : 'success'} isLive>
      {left > 0
        ? t('publish.requestsMoving', { count: left, agency })
        : t('publish.requestsMoved', { agency })}
    </Alert>
  );
}

/** Who asked for a version and who confirmed it, with the times that are known. */
function TwoPeople({
  askedBy,
  confirmation: { by, at, askedAt },
}: {
  askedBy: string | undefined;
  confirmation: NonNullable<ReplyOf<typeof getServiceVersions>[number]['confirmation']>;
}) {
  const { t } = useTranslation('designer');
  const lines = [
    askedBy
      ? { text: t('versions.askedBy', { name: `\u2068${askedBy}\u2069` }), at: askedAt }
      : undefined,
    { text: t('versions.confirmedBy', { name: `\u2068${by}\u2069` }), at },
  ].filter((line) => line !== undefined);
  return (
    <ul className="text-ink-600">
      {lines.map((line) => (
        <li key={line.text}>
          <span>{line.text}</span>
          {line.at ? (
            <>
              {' · '}
              <Moment at={line.at} />
            </>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function MoveOfRequests({ serviceId, move }: { serviceId: number; move: AgencyMove | undefined }) {
  if (!move) return null;
  return move.isMoving ? (
    <MovingAlert serviceId={serviceId} move={move} />
  ) : (
    <AgencyMoveAlert move={move} />
  );
}

/** Publishing, what it changes, and the versions that can be published again. */
export function PublishView({ serviceId, editor, onProblems }: ViewProps) {
  const { t } = useTranslation('designer');
  const [question, setQuestion] = useState<Question>();
  const [compared, setCompared] = useState<number>();
  const { versions, differences } = useServiceVersions(
    serviceId,
    compared === undefined ? {} : { from: compared },
  );
  const { design } = editor;
  return (
    <div className="flex flex-col gap-6">
      {editor.problem ? <Alert tone="danger" isLive title={messageOf(editor.problem)} /> : null}
      {design.publishAt ? (
        <Alert
          title={t('publish.scheduled')}
          action={
            <Button
              call={cancelPublication}
              size="sm"
              isPending={editor.pending === 'cancel'}
              onPress={() => void editor.cancel()}
            >
              {t('publish.cancel')}
            </Button>
          }
        >
          <Moment at={design.publishAt} />
        </Alert>
      ) : null}
      {design.waiting ? <WaitingPublicationAlert waiting={design.waiting} editor={editor} /> : null}
      <MoveOfRequests serviceId={serviceId} move={design.agencyMove} />
      <Card title={t('publish.title')}>
        <PublishCard editor={editor} onProblems={onProblems} onAsk={setQuestion} />
      </Card>
      <Card
        title={
          compared === undefined
            ? t('differences.title')
            : t('differences.since', { number: compared })
        }
        action={
          compared === undefined ? null : (
            <Button size="sm" variant="secondary" onPress={() => setCompared(undefined)}>
              {t('differences.toPublished')}
            </Button>
          )
        }
      >
        {differences.data ? (
          <DifferenceList
            differences={differences.data}
            empty={t(design.isPublished ? 'differences.none' : 'differences.new')}
          />
        ) : (
          <SkeletonRows count={2} />
        )}
      </Card>
      <Card title={t('versions.title')}>
        {versions.data?.length === 0 ? <p className="text-ink-600">{t('versions.none')}</p> : null}
        <ol className="flex flex-col divide-y divide-ink-100">
          {(versions.data ?? []).map(({ number, at, by, origin, restoredFrom, confirmation }) => (
            <li key={number} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
              <span className="min-w-0 grow">
                <strong>{t('versions.one', { number })}</strong>{' '}
                <span className="text-ink-600">
                  <span>{t(`versions.${origin}`, { number: restoredFrom ?? 0 })}</span>{' '}
                  <Moment at={at} />
                  {by && !confirmation ? (
                    <>
                      {' · '}
                      <bdi>{by}</bdi>
                    </>
                  ) : null}
                </span>
                {confirmation ? <TwoPeople askedBy={by} confirmation={confirmation} /> : null}
              </span>
              <Button size="sm" variant="quiet" onPress={() => setCompared(number)}>
                {t('versions.compare', { number })}
              </Button>
              <Button
                call={restoreServiceVersion}
                size="sm"
                variant="secondary"
                isPending={editor.pending === `version ${number}`}
                onPress={() => setQuestion({ kind: 'restore', number })}
              >
                {t('versions.restore', { number })}
              </Button>
            </li>
          ))}
        </ol>
      </Card>
      <ChangeHistory entity="service" entityId={serviceId} />
      {question ? (
        <QuestionDialog
          serviceId={serviceId}
          question={question}
          editor={editor}
          onClose={() => setQuestion(undefined)}
        />
      ) : null}
    </div>
  );
}
