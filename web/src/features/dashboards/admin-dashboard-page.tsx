import {
  Banknote,
  Eye,
  ChartNoAxesColumn,
  Building2,
  CalendarDays,
  Award,
  ClipboardX,
  FileText,
  IdCard,
  Languages,
  Megaphone,
  Network,
  MessageSquareWarning,
  ScanSearch,
  KeyRound,
  ShieldCheck,
  Handshake,
  Landmark,
  LayoutList,
  Mails,
  Tags,
  Users,
  UsersRound,
  UserCog,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { useLiveCounts } from '#features/requests/live/live-counts.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { May } from '#ui/editing/permitted.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { LiveState } from '#ui/feedback/live-state.tsx';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import type { ManagedPageName } from '@diwan/contract/portal/page-list';
import { pages } from '@diwan/contract/portal/pages';
import { getPortalReadiness } from '@diwan/contract/portal/readiness';
import { getRequestsCount } from '@diwan/contract/requests/request-lists';
import { FirstDay } from '../portal-details/first-day.tsx';
import { FigureCards } from '../reports/figure-cards.tsx';
import { FigureGroups } from '../reports/figure-groups.tsx';
import { useStaffList } from '../reports/figure-links.ts';
import { FiguresChart } from '../reports/figures-chart.tsx';
import { FiguresSkeleton } from '../reports/figures-skeleton.tsx';
import { NowFigures } from '../reports/now-figures.tsx';
import { useFigures } from '../reports/reports.data.ts';
import { StatusCountList } from '../reports/status-count-list.tsx';
import { TopServices } from '../reports/top-services.tsx';
import { detailsLink } from '../requests/data/details-link.ts';
import { StaffDueDate } from '../requests/record/due-date.tsx';
import { DashboardFrame } from './dashboard-frame.tsx';
import { WaitingDecisions } from './waiting-decisions.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

/** The lists that an admin manages, in their order: icon, and the noun of `dashboards.json` that has the title. */
const tiles = {
  adminUsers: { icon: Users, text: 'users' },
  adminTeams: { icon: Network, text: 'teams' },
  adminCompanies: { icon: Building2, text: 'companies' },
  adminPartners: { icon: Handshake, text: 'partners' },
  adminServiceProviders: { icon: UserCog, text: 'serviceProviders' },
  adminServices: { icon: LayoutList, text: 'services' },
  adminAgencies: { icon: Landmark, text: 'agencies' },
  adminCategories: { icon: Tags, text: 'serviceCategories' },
  adminAccountTypes: { icon: UsersRound, text: 'accountTypes' },
  adminAttachments: { icon: FileText, text: 'attachments' },
  adminRejectionReasons: { icon: ClipboardX, text: 'rejectionReasons' },
  adminWorkflow: { icon: Workflow, text: 'workflow' },
  adminPortal: { icon: IdCard, text: 'portal' },
  adminTexts: { icon: Languages, text: 'texts' },
  adminAnnouncements: { icon: Megaphone, text: 'announcements' },
  adminDays: { icon: CalendarDays, text: 'calendars' },
  adminCertificates: { icon: Award, text: 'certificates' },
  adminSearch: { icon: ScanSearch, text: 'search' },
  adminPayments: { icon: Banknote, text: 'payments' },
  adminSecurity: { icon: KeyRound, text: 'security' },
  adminMessages: { icon: Mails, text: 'messages' },
  adminAudit: { icon: ShieldCheck, text: 'audit' },
  adminComplaints: { icon: MessageSquareWarning, text: 'complaints' },
  adminReading: { icon: Eye, text: 'reading' },
} satisfies Record<ManagedPageName, { icon: LucideIcon; text: string }>;

/** Links to the lists that an admin manages, and an auditor reads. */
function ManageLinks() {
  const { t } = useTranslation('dashboards');
  const session = useSession();
  const shown = Object.entries(tiles).filter(([name]) =>
    hasRole(session, ...pages[name as ManagedPageName].who),
  );
  return (
    <nav aria-label={t('manage')} data-no-print>
      <h2 className="pb-3 text-lg">{t('manage')}</h2>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-4">
        {shown.map(([name, { icon: Icon, text }]) => (
          <li
            key={name}
            data-surface
            className={classNames(
              'relative flex items-center gap-3 rounded-lg border border-ink-100 bg-white',
              'p-4 transition-colors duration-150 hover:border-gold-600 hover:bg-desert-50',
            )}
          >
            <Icon aria-hidden size={22} className="shrink-0 text-gold-600" />
            <Link to={pages[name as ManagedPageName].path} className="row-link min-w-0 font-medium">
              {t(`${text}.title`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The agencies whose last administrator left, until they have one again. */
function LostAdministrators() {
  const { t } = useTranslation('dashboards');
  const { language } = useLanguage();
  const format = useFormat();
  const { data } = useCall(getAgencyRecords, { skipErrorHandling: true, staleTime: 0 });
  const lost = (data ?? []).filter(({ administratorLostAt }) => administratorLostAt);
  if (lost.length === 0) return null;
  const names = format.list(lost.map(({ name }) => `\u2068${name[language]}\u2069`));
  return (
    <Alert tone="warning" title={t('lostAdministrators.title')} isLive>
      <p>{t('lostAdministrators.text', { count: lost.length, names })}</p>
      <Link to={pages.adminStaff.path} className="link">
        {t('lostAdministrators.invite')}
      </Link>
    </Alert>
  );
}

/** Whether the counts follow what happens. */
function CountsState() {
  return <LiveState state={useLiveCounts().state} />;
}

export function AdminDashboardPage() {
  const { t } = useTranslation('dashboards');
  const figures = useFigures();
  const list = useStaffList();
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
          <May call={getPortalReadiness}>
            <FirstDay />
          </May>
          <WaitingDecisions />
          <May call={saveAgency}>
            <LostAdministrators />
          </May>
          <div className="flex flex-col gap-3">
            {/* Administrators have no bell, which says it to everybody else. */}
            <May call={getRequestsCount}>
              <CountsState />
            </May>
            <NowFigures list={list} />
          </div>
          {list ? (
            <WaitingRequests
              statusCounts={data.standing}
              title={t('admin.waiting')}
              empty={t('admin.nothingWaits')}
              all={list}
              linkOf={(number) => detailsLink(number, '/dashboard-Admin')}
              Due={StaffDueDate}
            />
          ) : null}
          <FigureCards figures={data} list={list} />
          <FigureGroups />
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="flex min-w-0 flex-col gap-6">
              <FiguresChart figures={data} list={list} />
              <TopServices figures={data} />
            </div>
            <StatusCountList statusCounts={data.standing} list={list} />
          </div>
        </>
      )}
    </DashboardFrame>
  );
}
