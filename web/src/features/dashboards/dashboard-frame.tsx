import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import type { RequestFigures } from '@diwan/contract/requests/reports';

interface DashboardFrameProps {
  title: string;
  lead: string;
  action?: ReactNode;
  figures: UseQueryResult<RequestFigures, ApiError>;
  skeleton: ReactNode;
  children: (figures: RequestFigures) => ReactNode;
  /** Content that does not need the figures. */
  after?: ReactNode;
}

/** The frame of a dashboard with its loading and error states. */
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
