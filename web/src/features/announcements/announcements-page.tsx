import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { getAnnouncements } from '@diwan/contract/content/announcements';
import { AnnouncementItem } from './announcement-item.tsx';

/** All announcements of now and of the next weeks, dismissed ones too. */
export function AnnouncementsPage() {
  const { t } = useTranslation(['announcements', 'pages', 'shell']);
  const home = useHomeAddress();
  const title = t('pages:titles.announcements');
  usePageTitle(title);
  const { data, error, refetch, isRefetching } = useCall(getAnnouncements, { staleTime: 60_000 });
  const groups = [
    { name: 'now', items: (data ?? []).filter((each) => each.isCurrent) },
    { name: 'later', items: (data ?? []).filter((each) => !each.isCurrent) },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className="page max-w-form pb-16">
      <PageHeader
        title={title}
        lead={t('public.lead')}
        crumbs={[{ label: t('shell:navigation.home'), to: home }, { label: title }]}
      />
      {error && !data ? (
        <ErrorState
          error={error}
          title={t('public.failed')}
          onRetry={refetch}
          isRetrying={isRefetching}
        />
      ) : !data ? (
        <SkeletonRows count={3} />
      ) : groups.length === 0 ? (
        <EmptyState title={t('public.noneTitle')}>{t('public.noneText')}</EmptyState>
      ) : (
        groups.map(({ name, items }) => (
          <section key={name} className="pb-8">
            <h2 className="pb-3 text-lg">{t(`public.${name}`)}</h2>
            <ul className="flex flex-col gap-3">
              {items.map((each) => (
                <AnnouncementItem key={each.mark} announcement={each} />
              ))}
            </ul>
          </section>
        ))
      )}
      <p className="pt-4">
        <Link to="/status" className="link">
          {t('pages:titles.status')}
        </Link>
      </p>
    </div>
  );
}
