import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { LinkButton } from '#ui/actions/links.tsx';
import { FigureCards } from '../reports/figure-cards.tsx';
import { FigureGroups } from '../reports/figure-groups.tsx';
import { FiguresChart } from '../reports/figures-chart.tsx';
import { FiguresSkeleton } from '../reports/figures-skeleton.tsx';
import { NowFigures } from '../reports/now-figures.tsx';
import { useFigures } from '../reports/reports.data.ts';
import { StatusCountList } from '../reports/status-count-list.tsx';
import { detailsLink } from '../requests/data/details-link.ts';
import { StaffDueDate } from '../requests/record/due-date.tsx';
import { DashboardFrame } from './dashboard-frame.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

/** The requests that wait for the partner, then figures. */
export function SupervisorDashboardPage() {
  const { t } = useTranslation('dashboards');
  const figures = useFigures();
  return (
    <DashboardFrame
      title={t('supervisor.title')}
      lead={t('lead')}
      figures={figures}
      skeleton={<FiguresSkeleton />}
      action={
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/requests/all" variant="secondary">
            {t('toRequests')}
          </LinkButton>
          <LinkButton
            to="/reports"
            variant="secondary"
            icon={<ChartNoAxesColumn aria-hidden size={20} />}
          >
            {t('toReports')}
          </LinkButton>
        </div>
      }
    >
      {(data) => (
        <>
          <NowFigures list="/requests/all" />
          <WaitingRequests
            statusCounts={data.standing}
            title={t('supervisor.waiting')}
            empty={t('supervisor.nothingWaits')}
            all="/requests/all"
            linkOf={(number) => detailsLink(number, '/dashboard-supervisor')}
            Due={StaffDueDate}
          />
          <FigureCards figures={data} list="/requests/all" />
          <FigureGroups />
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <FiguresChart figures={data} list="/requests/all" />
            <StatusCountList isShort statusCounts={data.standing} list="/requests/all" />
          </div>
        </>
      )}
    </DashboardFrame>
  );
}
