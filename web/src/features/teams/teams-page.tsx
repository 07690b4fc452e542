import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { buttonColumn, DataTable, type Column } from '#ui/data/data-table.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  changeTeamReach,
  deleteTeam,
  getTeams,
  saveTeam,
  type AgencyTeams,
  type Team,
  type TeamCandidate,
} from '@diwan/contract/staff/teams';
import { DeleteDialog, ReachDialog, TeamDialog, type OpenAgency } from './team-dialogs.tsx';

/** The dialog that is open. */
type Edited =
  | { what: 'team'; team: Team | undefined }
  | { what: 'delete'; team: Team }
  | { what: 'reach'; employee: TeamCandidate };

const isolate = (text: string) => `\u2068${text}\u2069`;

const namesOf = (items: readonly { id: number; name: string }[], ids: readonly number[]) =>
  items.filter(({ id }) => ids.includes(id)).map(({ name }) => name);

/** Names below each other; without any, a warning. */
function Names({ names, none }: { names: readonly string[]; none: string }) {
  if (names.length === 0) return <span className="text-amber-800">{none}</span>;
  return (
    <ul className="flex flex-col gap-1">
      {names.map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}

function useTeamColumns(teams: AgencyTeams, onEdit: (edited: Edited) => void): Column<Team>[] {
  const { t } = useTranslation('teams');
  return [
    { key: 'name', header: t('name'), isPrimary: true, cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: 'members',
      header: t('members'),
      cell: ({ memberIds }) => (
        <Names
          names={teams.employees
            .filter(({ userId }) => memberIds.includes(userId))
            .map(({ fullName }) => fullName)}
          none={t('noMembers')}
        />
      ),
    },
    {
      key: 'work',
      header: t('work'),
      cell: ({ categoryIds, serviceIds }) => (
        <Names
          names={[
            ...namesOf(teams.categories, categoryIds).map((name) =>
              t('wholeCategory', { name: isolate(name) }),
            ),
            ...namesOf(teams.services, serviceIds),
          ]}
          none={t('noWork')}
        />
      ),
    },
    buttonColumn({
      header: t('action'),
      text: t('change'),
      call: saveTeam,
      labelOf: ({ name }) => t('edit', { name: isolate(name) }),
      onPress: (team) => onEdit({ what: 'team', team }),
    }),
    buttonColumn({
      key: 'delete',
      header: t('delete'),
      text: t('delete'),
      call: deleteTeam,
      labelOf: ({ name }) => t('deleteTitle', { name: isolate(name) }),
      onPress: (team) => onEdit({ what: 'delete', team }),
    }),
  ];
}

function useEmployeeColumns(
  { teams }: AgencyTeams,
  onEdit: (edited: Edited) => void,
): Column<TeamCandidate>[] {
  const { t } = useTranslation('teams');
  const teamsOf = (userId: string) =>
    teams.filter(({ memberIds }) => memberIds.includes(userId)).map(({ name }) => name);
  return [
    {
      key: 'name',
      header: t('employee'),
      isPrimary: true,
      cell: ({ fullName, username }) => (
        <>
          <bdi>{fullName}</bdi>
          <bdi className="block text-sm text-ink-600">{username}</bdi>
        </>
      ),
    },
    {
      key: 'teams',
      header: t('teams'),
      cell: ({ userId }) => {
        const names = teamsOf(userId);
        return names.length > 0 ? <Names names={names} none="" /> : t('noTeam');
      },
    },
    {
      key: 'sees',
      header: t('sees'),
      cell: ({ userId, seesWholeAgency }) => {
        if (seesWholeAgency) return t('seesWhole');
        if (teamsOf(userId).length > 0) return t('seesTeams');
        return <span className="text-amber-800">{t('seesNothing')}</span>;
      },
    },
    {
      key: 'reach',
      header: t('action'),
      isControl: true,
      call: changeTeamReach,
      cell: (employee) => (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`${employee.seesWholeAgency ? t('limit') : t('letSeeWhole')}: ${employee.fullName}`}
          onPress={() => onEdit({ what: 'reach', employee })}
        >
          {employee.seesWholeAgency ? t('limit') : t('letSeeWhole')}
        </Button>
      ),
    },
  ];
}

/** What somebody should look at: services that no team works on, and employees who see nothing. */
function Warnings({ teams: { teams, employees, services } }: { teams: AgencyTeams }) {
  const { t } = useTranslation('teams');
  const { list } = useFormat();
  const inTeam = new Set(teams.flatMap(({ memberIds }) => memberIds));
  const blind = employees.filter((each) => !each.seesWholeAgency && !inTeam.has(each.userId));
  const without = services.filter(({ hasTeam }) => !hasTeam);
  const seesAll = employees.some((each) => each.seesWholeAgency && !each.isSuspended);
  return (
    <>
      {blind.length > 0 ? (
        <Alert tone="warning" title={t('blindTitle')}>
          <p>{t('blindText', { names: list(blind.map((each) => isolate(each.fullName))) })}</p>
        </Alert>
      ) : null}
      {teams.length > 0 && without.length > 0 ? (
        <Alert tone="warning" title={t('withoutTitle', { count: without.length })}>
          <p>{seesAll ? t('withoutText') : t('withoutTextNobody')}</p>
          <details className="mt-2">
            <summary className="cursor-pointer py-1">{t('withoutList')}</summary>
            <Names names={without.map(({ name }) => name)} none="" />
          </details>
        </Alert>
      ) : null}
    </>
  );
}

function Dialogs({
  open,
  edited,
  onClose,
}: {
  open: OpenAgency;
  edited: Edited;
  onClose: () => void;
}) {
  switch (edited.what) {
    case 'team':
      return <TeamDialog open={open} team={edited.team} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog open={open} team={edited.team} onClose={onClose} />;
    default:
      return <ReachDialog open={open} employee={edited.employee} onClose={onClose} />;
  }
}

function Agency({ open }: { open: OpenAgency }) {
  const { t } = useTranslation('teams');
  const [edited, setEdited] = useState<Edited>();
  const { teams } = open;
  const teamColumns = useTeamColumns(teams, setEdited);
  const employeeColumns = useEmployeeColumns(teams, setEdited);
  const add = (
    <Button
      call={saveTeam}
      icon={<Plus aria-hidden size={18} />}
      onPress={() => setEdited({ what: 'team', team: undefined })}
    >
      {t('add')}
    </Button>
  );
  return (
    <div className="flex flex-col gap-10">
      <Warnings teams={teams} />
      {teams.teams.length === 0 ? (
        <EmptyState title={t('none')} action={add}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <section className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-lg">{t('teams')}</h2>
            <span data-no-print>{add}</span>
          </div>
          <DataTable
            caption={t('teams')}
            columns={teamColumns}
            rows={teams.teams}
            rowKey={({ id }) => id}
          />
        </section>
      )}
      <section className="flex flex-col gap-4">
        <h2 className="text-lg">{t('employees')}</h2>
        {teams.employees.length === 0 ? (
          <EmptyState title={t('noEmployees')}>{t('noEmployeesText')}</EmptyState>
        ) : (
          <DataTable
            caption={t('employees')}
            columns={employeeColumns}
            rows={teams.employees}
            rowKey={({ userId }) => userId}
          />
        )}
      </section>
      {edited ? <Dialogs open={open} edited={edited} onClose={() => setEdited(undefined)} /> : null}
    </div>
  );
}

function ChosenAgency({ agencyId }: { agencyId: number }) {
  const { t } = useTranslation('teams');
  const { data, error, refetch, isRefetching } = useCall(getTeams, {
    query: { AgencyId: agencyId },
  });
  if (error && !data)
    return (
      <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
    );
  return data ? <Agency open={{ agencyId, teams: data }} /> : <SkeletonRows count={6} />;
}

/** The teams of an agency: who is in them, what they work on, and who sees what. */
export function TeamsPage() {
  const { t } = useTranslation('teams');
  usePageTitle(t('title'));
  const { values, change } = useSearchFilters('agency');
  const { data, error, refetch, isRefetching } = useCall(getManagedAgencies, {});
  const chosen = data?.find(({ id }) => String(id) === values.agency) ?? data?.[0];
  return (
    <div className="page pb-16">
      <AdminPageHeader title={t('title')} lead={t('lead')} />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : null}
      {!data && !error ? <SkeletonRows count={6} /> : null}
      {data && !chosen ? <EmptyState title={t('noAgency')} /> : null}
      {data && chosen ? (
        <div className="flex flex-col gap-8">
          {data.length > 1 ? (
            <div className="max-w-form" data-no-print>
              <ComboField
                label={t('agency')}
                value={String(chosen.id)}
                onChange={(agency) => change({ agency })}
                choices={data.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
            </div>
          ) : null}
          <p className={data.length > 1 ? 'hidden font-semibold print:block' : 'font-semibold'}>
            <bdi>{chosen.name}</bdi>
          </p>
          <ChosenAgency key={chosen.id} agencyId={chosen.id} />
        </div>
      ) : null}
    </div>
  );
}
