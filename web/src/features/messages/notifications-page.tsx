import { useLiveRequests } from '#features/requests/live/live-counts.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Card } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { grantedRoles } from '@diwan/contract/wire/call';
import { NotificationList, NotificationSettings } from './notification-list.tsx';

/** The notifications of users without a bell, and how they hear of each kind. */
export function NotificationsPage() {
  const { t } = useTranslation(['notifications', 'shell']);
  const home = useHomeAddress();
  const isApplicant = !hasRole(useSession(), ...grantedRoles);
  usePageTitle(t('title'));
  useLiveRequests();
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={t(isApplicant ? 'lead' : 'workLead')}
        crumbs={[{ label: t('shell:navigation.home'), to: home }, { label: t('title') }]}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card>
          <NotificationList />
        </Card>
        <Card title={t('settings')}>
          <NotificationSettings />
        </Card>
      </div>
    </div>
  );
}
