import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { ShortcutList } from '../staff/shortcut-list.tsx';
import { StaffList } from '../staff/staff-list.tsx';
import { StaffListTabs } from '../staff/staff-list-tabs.tsx';
import { staffListOf } from '../staff/staff-lists.ts';

export function StaffRequestsPage() {
  const { t } = useTranslation('requests');
  const list = staffListOf(useLocation().pathname);
  const title = t(`staff.${list}Title`);
  usePageTitle(title);
  return (
    <div className="page pb-16">
      <PageHeader title={title} action={<ShortcutList page="list" />} />
      <StaffListTabs current={list} />
      {/* Each list begins anew: rows of the one before must not be taken for its own. */}
      <StaffList key={list} list={list} />
    </div>
  );
}
