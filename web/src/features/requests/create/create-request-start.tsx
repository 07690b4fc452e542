import { type ReactNode, useState } from 'react';
import { hasRole, useSession, type Session } from '#lib/api/session.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Money } from '#ui/values/money.tsx';
import type { Service } from '@diwan/contract/catalogue/services';
import type { DraftSummary } from '@diwan/contract/requests/drafts';
import { useDiscard, useDrafts } from '../drafts/draft-list.data.ts';
import { findStoredDrafts } from '../drafts/draft-storage.ts';

interface StartProps {
  service: Service;
  /** The user is not eligible, as far as is known. */
  isIneligible: boolean;
  onStart: () => void;
  /** The pointer enters the button or it gets the focus. */
  onIntent: () => void;
}

function useFigures(service: Service): { total: ReactNode; time: string } {
  const { t } = useTranslation('forms');
  const { money } = useFormat();
  return {
    total:
      service.fees.total === 0 ? (
        t(service.feesVary ? 'cost.byAnswers' : 'intro.freeOfCharge')
      ) : service.feesVary ? (
        t('cost.orMore', { amount: money(service.fees.total) })
      ) : (
        <Money fils={service.fees.total} />
      ),
    time:
      service.workingDays === 0
        ? t('intro.atOnce')
        : t('intro.workingDays', { count: service.workingDays }),
  };
}

/** The key figures and the start button, beside the text on a desktop. */
export function StartBox(props: StartProps) {
  const { t } = useTranslation('forms');
  const { service } = props;
  const { total, time } = useFigures(service);
  return (
    <aside
      aria-label={t('intro.summary')}
      data-no-print
      className="hidden md:sticky md:top-8 md:block md:self-start"
    >
      <div
        data-surface
        className="flex flex-col gap-5 rounded-lg border border-ink-100 bg-white p-6 shadow-soft"
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-ink-500">{t('intro.total')}</dt>
          <dd className="text-end text-lg font-semibold">{total}</dd>
          <dt className="text-ink-500">{t('intro.time')}</dt>
          <dd className="text-end font-medium">{time}</dd>
          <dt className="text-ink-500">{t('intro.documents')}</dt>
          <dd className="text-end font-medium">
            {service.attachments.length === 0
              ? t('intro.none')
              : t('intro.documentCount', { count: service.attachments.length })}
          </dd>
        </dl>
        <Start {...props} />
      </div>
    </aside>
  );
}

/** The same in a bar at the bottom of a phone, above the footer. */
export function StartBar(props: StartProps) {
  const { total, time } = useFigures(props.service);
  return (
    <div
      data-no-print
      className="sticky bottom-0 z-20 -mx-4 mt-10 border-t border-ink-100 bg-white px-4 py-3 shadow-soft md:hidden"
    >
      <p className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-ink-600">
        <span className="text-base font-semibold text-ink-900">{total}</span>
        <span>{time}</span>
      </p>
      <Start {...props} />
    </div>
  );
}

function Start({ service, isIneligible, onStart, onIntent }: StartProps) {
  const { t } = useTranslation('forms');
  const session = useSession();
  if (session && !hasRole(session, 'Client', 'CompanyUser'))
    return <Alert title={t('intro.staffTitle')}>{t('intro.staff')}</Alert>;
  if (service.closure) return <ClosedStart service={service} session={session} onStart={onStart} />;
  if (isIneligible) {
    return (
      <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-semibold text-amber-800">{t('eligibility.shutTitle')}</p>
        <Button variant="secondary" size="sm" onPress={() => focusOn('who')}>
          {t('eligibility.why')}
        </Button>
      </div>
    );
  }
  if (session)
    return <DraftStart service={service} session={session} onStart={onStart} onIntent={onIntent} />;
  return (
    <div className="flex flex-col gap-2">
      <Button size="lg" isFullWidth onPress={onStart} onPointerEnter={onIntent} onFocus={onIntent}>
        {t('intro.start')}
      </Button>
      <p className="text-sm text-ink-500">{t('intro.signInFirst')}</p>
    </div>
  );
}

/** A closed service is not started; an existing draft can be read and continued. */
function ClosedStart({
  service,
  session,
  onStart,
}: Pick<StartProps, 'service' | 'onStart'> & { session: Session | null }) {
  const { t } = useTranslation('forms');
  const { data } = useDrafts();
  const [isOnDevice] = useState(
    () => session !== null && findStoredDrafts(service.id, session.ssid).length > 0,
  );
  const hasDraft =
    isOnDevice ||
    data?.some(({ serviceId, corrects }) => serviceId === service.id && !corrects) === true;
  return (
    <div className="flex flex-col gap-2">
      <Button size="lg" isFullWidth isDisabled>
        {t('closed.start')}
      </Button>
      {session && hasDraft ? (
        <Button variant="secondary" isFullWidth onPress={onStart}>
          {t('closed.continue')}
        </Button>
      ) : null}
    </div>
  );
}

interface DraftStartProps {
  service: Service;
  session: Session;
  onStart: () => void;
  /** The pointer enters the button or it gets the focus. */
  onIntent: () => void;
}

/** Starts a request, or continues a draft from this or another device. */
function DraftStart({ service, session, onStart, onIntent }: DraftStartProps) {
  // Both namespaces are loaded together: a component that loads texts later would blank the page.
  const { t } = useTranslation(['forms', 'drafts', 'saving']);
  const { relative } = useFormat();
  const { data } = useDrafts();
  const draft = data?.find(({ serviceId, corrects }) => serviceId === service.id && !corrects);
  const [isOnDevice] = useState(() => findStoredDrafts(service.id, session.ssid).length > 0);
  const hasDraft = draft !== undefined || isOnDevice;
  return (
    <div className="flex flex-col gap-2">
      <Button size="lg" isFullWidth onPress={onStart} onPointerEnter={onIntent} onFocus={onIntent}>
        {t(hasDraft ? 'intro.goOn' : 'intro.start')}
      </Button>
      {draft ? (
        <StartOver key={draft.draftId} draft={draft} savedWhen={relative(draft.savedAt)} />
      ) : null}
    </div>
  );
}

function StartOver({ draft, savedWhen }: { draft: DraftSummary; savedWhen: string }) {
  const { t } = useTranslation(['forms', 'drafts', 'saving']);
  const [isConfirming, setIsConfirming] = useState(false);
  const { discard, reload, isPending } = useDiscard(draft);
  if (!isConfirming) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="text-sm text-ink-500">{t('saved', { ns: 'saving', when: savedWhen })}</p>
        <Button variant="quiet" size="sm" onPress={() => setIsConfirming(true)}>
          {t('intro.startOver')}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-sm">
        {t('startOver.text', { ns: 'drafts' })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="danger"
          size="sm"
          isPending={isPending}
          onPress={() => discard(() => void reload())}
        >
          {t('startOver.discard', { ns: 'drafts' })}
        </Button>
        <Button variant="quiet" size="sm" onPress={() => setIsConfirming(false)}>
          {t('startOver.keep', { ns: 'drafts' })}
        </Button>
      </div>
    </div>
  );
}
