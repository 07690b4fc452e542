import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getAnnouncements } from '@diwan/contract/content/announcements';
import { getStatus } from '@diwan/contract/content/status';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { AnnouncementItem } from '../announcements/announcement-item.tsx';

type Status = ReplyOf<typeof getStatus>;
type PartState = Status['parts'][number]['state'];

const tones = { works: 'done', limited: 'waiting', down: 'refused' } as const;
const alertTones = { works: 'success', limited: 'warning', down: 'danger' } as const;

function StateTag({ state }: { state: PartState }) {
  const { t } = useTranslation('status');
  return <StatusTag tone={tones[state]}>{t(`states.${state}`)}</StatusTag>;
}

function Part({ part, state, since }: Status['parts'][number]) {
  const { t } = useTranslation('status');
  const { dateTime } = useFormat();
  return (
    <li className="flex flex-col gap-1 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-base font-semibold">{t(`parts.${part}`)}</h2>
        <StateTag state={state} />
      </div>
      {state === 'works' ? null : <p>{t(`advice.${part}`)}</p>}
      <p className="text-sm text-ink-600">
        {since ? t('since', { at: dateTime(since) }) : t('noIncident')}
      </p>
    </li>
  );
}

function History({ incidents }: Pick<Status, 'incidents'>) {
  const { t } = useTranslation('status');
  if (incidents.length === 0) return <p className="text-ink-600">{t('history.none')}</p>;
  return (
    <ul className="divide-y divide-ink-100">
      {incidents.map(({ part, state, from, until }) => (
        <li
          key={`${part} ${from}`}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3"
        >
          <div>
            <p className="font-semibold">{t(`parts.${part}`)}</p>
            <p className="text-sm text-ink-600">
              <span>{t('history.from')}</span> <Moment at={from} />{' '}
              {until ? (
                <>
                  <span>{t('history.until')}</span> <Moment at={until} />
                </>
              ) : (
                <span>{t('history.notOver')}</span>
              )}
            </p>
          </div>
          <StateTag state={state} />
        </li>
      ))}
    </ul>
  );
}

/** What is planned: the announcements of maintenance, of now and of the next weeks. */
function Maintenance() {
  const { t } = useTranslation('status');
  const { data = [] } = useCall(getAnnouncements, { staleTime: 60_000 });
  const planned = data.filter(({ kind }) => kind === 'maintenance');
  if (planned.length === 0) return null;
  return (
    <section className="pt-8">
      <h2 className="pb-3 text-lg">{t('planned')}</h2>
      <ul className="flex flex-col gap-3">
        {planned.map((each) => (
          <AnnouncementItem key={each.mark} announcement={each} />
        ))}
      </ul>
    </section>
  );
}

/** The worst state of all parts. */
const worstOf = ({ parts }: Status): PartState =>
  (['down', 'limited'] as const).find((state) => parts.some((part) => part.state === state)) ??
  'works';

/** What works now and what has failed, for everybody. The server answers without its database. */
export function StatusPage() {
  const { t } = useTranslation(['status', 'shell']);
  const home = useHomeAddress();
  const title = t('title');
  usePageTitle(title);
  const { data, error, refetch, isRefetching } = useCall(getStatus, {
    staleTime: 15_000,
    refetchInterval: 60_000,
  });
  return (
    <div className="page max-w-form pb-16">
      <PageHeader
        title={title}
        lead={t('lead')}
        crumbs={[{ label: t('shell:navigation.home'), to: home }, { label: title }]}
      />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !data ? (
        <SkeletonRows count={6} />
      ) : (
        <>
          <Alert tone={alertTones[worstOf(data)]} title={t(`all.${worstOf(data)}`)} />
          <ul className="divide-y divide-ink-100 pt-2">
            {data.parts.map((each) => (
              <Part key={each.part} {...each} />
            ))}
          </ul>
          <Maintenance />
          <section className="pt-8">
            <h2 className="pb-3 text-lg">{t('history.title')}</h2>
            {data.isComplete ? null : <Alert tone="info">{t('history.incomplete')}</Alert>}
            <History incidents={data.incidents} />
          </section>
        </>
      )}
    </div>
  );
}
