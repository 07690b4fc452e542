import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { PageHeader, PrintedHead } from '#ui/data/page-header.tsx';
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
    <div data-report className="page pb-16">
      <PrintedHead />
      <PageHeader
        title={title}
        lead={lead}
        action={action ? <div data-no-print>{action}</div> : undefined}
      />
      <div className="flex flex-col gap-8 print:gap-4">
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
