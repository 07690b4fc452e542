import { useLiveRequests } from '#features/requests/live/live-counts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { LinkButton } from '#ui/actions/links.tsx';
import { FigureCards } from '../reports/figure-cards.tsx';
import { FiguresChart } from '../reports/figures-chart.tsx';
import { FiguresSkeleton } from '../reports/figures-skeleton.tsx';
import { applicantFigures, NowFigures } from '../reports/now-figures.tsx';
import { useFigures } from '../reports/reports.data.ts';
import { StatusCountList } from '../reports/status-count-list.tsx';
import { detailsLink } from '../requests/data/details-link.ts';
import { DashboardFrame } from './dashboard-frame.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

const own = '/companies/my-requests/new';

/** The requests of a company: what it has to do, and figures. */
export function CompanyDashboardPage() {
  const { t } = useTranslation('dashboards');
  const figures = useFigures();
  useLiveRequests();
  return (
    <DashboardFrame
      title={t('company.title')}
      lead={t('lead')}
      figures={figures}
      skeleton={<FiguresSkeleton />}
      action={
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/home/services/companies">{t('company.newRequest')}</LinkButton>
          <LinkButton to={own} variant="secondary">
            {t('company.requests')}
          </LinkButton>
        </div>
      }
    >
      {(data) => (
        <>
          <NowFigures list={own} names={applicantFigures} />
          <WaitingRequests
            statusCounts={data.standing}
            title={t('company.waiting')}
            empty={t('company.nothingWaits')}
            all={own}
            linkOf={(number) => detailsLink(number, '/dash-board')}
          />
          <FigureCards
            figures={data}
            names={['created', 'completed', 'medianSeconds', 'feesCollected']}
            isOwn
            list={own}
          />
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <FiguresChart figures={data} isOwn list={own} />
            <StatusCountList statusCounts={data.standing} list={own} isShort />
          </div>
        </>
      )}
    </DashboardFrame>
  );
}
