import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Service } from '@diwan/contract/catalogue/services';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DraftStart } from '../drafts/draft-start.tsx';

interface StartProps {
  service: Service;
  /** The person cannot use it, as far as is known. */
  isShut: boolean;
  onStart: () => void;
  /** Somebody reaches for the button. */
  onApproach: () => void;
}

function useFigures(service: Service): { total: ReactNode; time: string } {
  const { t } = useTranslation('forms');
  return {
    total:
      service.fees.total === 0 ? (
        t('intro.freeOfCharge')
      ) : (
        <Money fils={service.fees.total} short />
      ),
    time:
      service.workingDays === 0
        ? t('intro.atOnce')
        : t('intro.workingDays', { count: service.workingDays }),
  };
}

/** The figures that decide, and the one thing to do, beside the text on a desk. */
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

/** The same at the bottom of a phone: always in reach, and out of the way of the footer. */
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

function Start({ service, isShut, onStart, onApproach }: StartProps) {
  const { t } = useTranslation('forms');
  const session = useSession();
  if (session && !hasRole(session, 'Client', 'CompanyUser'))
    return <Notice title={t('intro.staffTitle')}>{t('intro.staff')}</Notice>;
  if (isShut) {
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
    return (
      <DraftStart service={service} session={session} onStart={onStart} onApproach={onApproach} />
    );
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="lg"
        isFullWidth
        onPress={onStart}
        onPointerEnter={onApproach}
        onFocus={onApproach}
      >
        {t('intro.start')}
      </Button>
      <p className="text-sm text-ink-500">{t('intro.signInFirst')}</p>
    </div>
  );
}
