import {
  Building2,
  ClipboardX,
  FileText,
  KeyRound,
  ShieldCheck,
  Handshake,
  LayoutList,
  Mails,
  Tags,
  Users,
  UserCog,
  Workflow,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

const links = [
  { name: 'users', to: '/dashboard/users', icon: Users },
  { name: 'companies', to: '/dashboard/companies', icon: Building2 },
  { name: 'partners', to: '/dashboard/partners', icon: Handshake },
  { name: 'serviceProviders', to: '/dashboard/service-providers', icon: UserCog },
  { name: 'services', to: '/dashboard/services', icon: LayoutList },
  { name: 'serviceCategories', to: '/dashboard/serviceCategories', icon: Tags },
  { name: 'attachments', to: '/dashboard/attachments', icon: FileText },
  { name: 'rejectionReasons', to: '/dashboard/rejectionReasons', icon: ClipboardX },
  { name: 'workflow', to: '/dashboard/workflow', icon: Workflow },
  { name: 'security', to: '/dashboard/security', icon: KeyRound },
  { name: 'messages', to: '/dashboard/messages', icon: Mails },
  { name: 'audit', to: '/dashboard/audit', icon: ShieldCheck },
] as const;

/** The lists that an admin looks after. */
export function ManageLinks() {
  const { t } = useTranslation('dashboards');
  return (
    <nav aria-label={t('manage')} data-no-print>
      <h2 className="pb-3 text-lg">{t('manage')}</h2>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-4">
        {links.map(({ name, to, icon: Icon }) => (
          <li
            key={name}
            data-surface
            className="relative flex items-center gap-3 rounded-lg border border-ink-100 bg-white p-4 transition-colors duration-150 hover:border-gold-600 hover:bg-desert-50"
          >
            <Icon aria-hidden size={22} className="shrink-0 text-gold-600" />
            <Link to={to} className="row-link min-w-0 font-medium">
              {t(`${name}.title`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
