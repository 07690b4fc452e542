import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { FigureCards } from '../reports/figure-cards.tsx';
import { FiguresChart } from '../reports/figures-chart.tsx';
import { FiguresSkeleton } from '../reports/figures-skeleton.tsx';
import { useFigures } from '../reports/reports.data.ts';
import { StandingList } from '../reports/standing-list.tsx';
import { TopServices } from '../reports/top-services.tsx';
import { detailsLink } from '../requests/data/details-link.ts';
import { DashboardFrame } from './dashboard-frame.tsx';
import { ManageLinks } from './manage-links.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

export function AdminDashboardPage() {
  const { t } = useTranslation('dashboards');
  const figures = useFigures();
  return (
    <DashboardFrame
      title={t('admin.title')}
      lead={t('lead')}
      figures={figures}
      skeleton={<FiguresSkeleton />}
      after={<ManageLinks />}
      action={
        <LinkButton
          to="/reports"
          variant="secondary"
          icon={<ChartNoAxesColumn aria-hidden size={20} />}
        >
          {t('toReports')}
        </LinkButton>
      }
    >
      {(data) => (
        <>
          <FigureCards figures={data} />
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="flex min-w-0 flex-col gap-6">
              <FiguresChart figures={data} />
              <TopServices services={data.services} />
            </div>
            <StandingList
              standing={data.standing}
              linkOf={(statusId) => `/requests/all?status=${statusId}`}
            />
          </div>
          <WaitingRequests
            standing={data.standing}
            title={t('admin.waiting')}
            empty={t('admin.nothingWaits')}
            all="/requests/all"
            linkOf={(number) => detailsLink(number, '/dashboard-Admin')}
          />
        </>
      )}
    </DashboardFrame>
  );
}
