import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Moment } from '#ui/values/moment.tsx';
import {
  cancelPublication,
  decidePublication,
  getWaitingPublications,
  type FeeChange,
  type WaitingPublication,
} from '@diwan/contract/catalogue/service-designs';
import type { DesignEditor } from '../design-editor.data.ts';

/** Fees with their amounts before and after. */
export function FeeChanges({ fees }: { fees: readonly FeeChange[] }) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const { money, rate } = useFormat();
  const textOf = (amount: number | undefined, basisPoints: number | undefined) => {
    if (amount === undefined) return t('publish.waiting.noFee');
    return basisPoints === undefined
      ? money(amount)
      : t('publish.waiting.percentage', { rate: rate(basisPoints), least: money(amount) });
  };
  return (
    <ul className="flex list-disc flex-col gap-1 ps-5">
      {fees.map(({ title, before, after, rateBefore, rateAfter }, index) => (
        <li key={index}>
          {t('publish.unlikelyFee', {
            fee: `\u2068${title[language]}\u2069`,
            before: textOf(before, rateBefore),
            after: textOf(after, rateAfter),
          })}
        </li>
      ))}
    </ul>
  );
}

interface WaitingProps {
  waiting: WaitingPublication;
  editor: DesignEditor;
}

function DecideDialog({
  waiting,
  editor,
  isConfirmed,
  onClose,
}: WaitingProps & { isConfirmed: boolean; onClose: () => void }) {
  const { t } = useTranslation('designer');
  const name = isConfirmed ? 'confirm' : 'refuse';
  const run = async () => {
    const isDone = await editor.decide(waiting.id, isConfirmed);
    onClose();
    if (isDone) showToast(t(`publish.waiting.done.${name}`), 'success');
  };
  return (
    <ConfirmDialog
      title={t(`publish.waiting.ask.${name}`)}
      confirmLabel={t(`publish.waiting.${name}`)}
      cancelLabel={t('publish.waiting.keep')}
      isDangerous={!isConfirmed}
      isPending={editor.pending === 'decide'}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>{t(`publish.waiting.effects.${name}`)}</p>
        <FeeChanges fees={waiting.fees} />
      </div>
    </ConfirmDialog>
  );
}

/**
 * A publication that waits for a second person: who asked for it can take it back, another
 * administrator confirms or refuses it.
 */
export function WaitingPublicationAlert({ waiting, editor }: WaitingProps) {
  const { t } = useTranslation('designer');
  const [decision, setDecision] = useState<boolean>();
  const { isOwn, askedBy, askedAt, publishAt, restoredFrom } = waiting;
  return (
    <Alert tone="warning" title={t('publish.waiting.title')}>
      <div className="flex flex-col gap-3">
        <p>
          <span>
            {t(isOwn ? 'publish.waiting.own' : 'publish.waiting.other', {
              name: `\u2068${askedBy}\u2069`,
            })}
          </span>{' '}
          <Moment at={askedAt} />
        </p>
        {restoredFrom === undefined ? null : (
          <p>{t('publish.waiting.restored', { number: restoredFrom })}</p>
        )}
        {publishAt ? (
          <p>
            <span>{t('publish.waiting.at')}</span> <Moment at={publishAt} />
          </p>
        ) : null}
        <FeeChanges fees={waiting.fees} />
        <div className="flex flex-wrap gap-2 empty:hidden">
          {isOwn ? (
            <Button
              call={cancelPublication}
              size="sm"
              variant="secondary"
              isPending={editor.pending === 'cancel'}
              onPress={() => void editor.cancel()}
            >
              {t('publish.waiting.takeBack')}
            </Button>
          ) : (
            <>
              <Button call={decidePublication} size="sm" onPress={() => setDecision(true)}>
                {t('publish.waiting.confirm')}
              </Button>
              <Button
                call={decidePublication}
                size="sm"
                variant="secondary"
                onPress={() => setDecision(false)}
              >
                {t('publish.waiting.refuse')}
              </Button>
            </>
          )}
        </div>
      </div>
      {decision === undefined ? null : (
        <DecideDialog
          waiting={waiting}
          editor={editor}
          isConfirmed={decision}
          onClose={() => setDecision(undefined)}
        />
      )}
    </Alert>
  );
}

/** The publications of all services that wait for a second person, for the page of the catalogue. */
export function WaitingPublications() {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const { data } = useCall(getWaitingPublications, { staleTime: 0 });
  if (!data || data.length === 0) return null;
  return (
    <Alert tone="warning" title={t('publish.waiting.list')}>
      <ul className="flex flex-col gap-1">
        {data.map(({ serviceId, name, askedBy, askedAt, isOwn }) => (
          <li key={serviceId}>
            <Link to={`/dashboard/services/${serviceId}`} className="link">
              <bdi>{name[language] || t('start.unnamed', { number: serviceId })}</bdi>
            </Link>
            <span className="block text-sm">
              <bdi>{isOwn ? t('publish.waiting.yours') : askedBy}</bdi> <Moment at={askedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
