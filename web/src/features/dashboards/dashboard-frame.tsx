import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { usePageTitle } from '../../lib/page/page-title.ts';
import type { SendError } from '../../lib/api/send-error.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';

interface DashboardFrameProps {
  title: string;
  lead: string;
  action?: ReactNode;
  figures: UseQueryResult<RequestFigures, SendError>;
  skeleton: ReactNode;
  children: (figures: RequestFigures) => ReactNode;
  /** What does not wait for the figures. */
  after?: ReactNode;
}

/** A dashboard in each of its states. */
export function DashboardFrame({
  title,
  lead,
  action,
  figures,
  skeleton,
  children,
  after,
}: DashboardFrameProps) {
  const { t } = useTranslation('dashboards');
  usePageTitle(title);
  return (
    <div className="page pb-16">
      <PageHeader title={title} lead={lead} action={action} />
      <div className="flex flex-col gap-8">
        {figures.data ? (
          children(figures.data)
        ) : figures.error ? (
          <ErrorState
            error={figures.error}
            title={t('failed')}
            onRetry={figures.refetch}
            isRetrying={figures.isRefetching}
          />
        ) : (
          skeleton
        )}
        {after}
      </div>
    </div>
  );
}
