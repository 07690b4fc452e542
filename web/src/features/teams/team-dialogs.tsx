import { useForm, useWatch, type Control } from 'react-hook-form';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  changeTeamReach,
  deleteTeam,
  getTeams,
  maximumTeamName,
  saveTeam,
  type AgencyTeams,
  type Team,
  type TeamCandidate,
} from '@diwan/contract/staff/teams';

/** An agency with its teams. */
export interface OpenAgency {
  agencyId: number;
  teams: AgencyTeams;
}

const isolate = (text: string) => `\u2068${text}\u2069`;

/** What to do after a change of the teams: says it, and reads them again. */
function useTeamsChanged(onClose: () => void) {
  return (text: string) => {
    showToast(text, 'success');
    onClose();
    return queryClient.invalidateQueries({ queryKey: [getTeams.name] });
  };
}

interface TeamForm {
  name: string;
  memberIds: string[];
  categoryIds: string[];
  serviceIds: string[];
}

const toForm = (team: Team | undefined): TeamForm => ({
  name: team?.name ?? '',
  memberIds: team?.memberIds ?? [],
  categoryIds: (team?.categoryIds ?? []).map(String),
  serviceIds: (team?.serviceIds ?? []).map(String),
});

/** What follows from the members that are chosen. */
function MembersNote({
  control,
  teams: { teams, employees },
  team,
}: {
  control: Control<TeamForm>;
  teams: AgencyTeams;
  team: Team | undefined;
}) {
  const { t } = useTranslation('teams');
  const { list } = useFormat();
  const memberIds = useWatch({ control, name: 'memberIds' });
  const inTeam = new Set(teams.flatMap((each) => each.memberIds));
  const others = new Set(
    teams.filter(({ id }) => id !== team?.id).flatMap((each) => each.memberIds),
  );
  const named = (chosen: (employee: TeamCandidate) => boolean) =>
    list(employees.filter(chosen).map(({ fullName }) => isolate(fullName)));
  const limited = named(
    ({ userId, seesWholeAgency }) =>
      seesWholeAgency && memberIds.includes(userId) && !inTeam.has(userId),
  );
  const left = named(
    ({ userId, seesWholeAgency }) =>
      !seesWholeAgency &&
      !memberIds.includes(userId) &&
      !others.has(userId) &&
      (team?.memberIds.includes(userId) ?? false),
  );
  return (
    <>
      {memberIds.length === 0 ? (
        <Alert tone="warning" isLive>
          {t('noMembersText')}
        </Alert>
      ) : null}
      {limited ? (
        <Alert isLive>
          <p>{t('willBeLimited', { names: limited })}</p>
        </Alert>
      ) : null}
      {left ? (
        <Alert tone="warning" isLive>
          <p>{t('willSeeNothing', { names: left })}</p>
        </Alert>
      ) : null}
    </>
  );
}

/** Creates a team, or changes its name, members and work. */
export function TeamDialog({
  open: { agencyId, teams },
  team,
  onClose,
}: {
  open: OpenAgency;
  team: Team | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('teams');
  const onChanged = useTeamsChanged(onClose);
  const form = useForm({ defaultValues: toForm(team) });
  const save = useAction(saveTeam, {
    skipErrorHandling: true,
    onSuccess: () => onChanged(t('saved')),
  });
  const { control } = form;
  const categoryIds = useWatch({ control, name: 'categoryIds' });
  const categoryName = (id: number) => teams.categories.find((each) => each.id === id)?.name;
  return (
    <FormDialog
      form={form}
      title={team ? t('edit', { name: isolate(team.name) }) : t('add')}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      isPending={save.isPending}
      error={save.error}
      onResetError={save.reset}
      onClose={onClose}
      onSubmit={({ name, memberIds, ...work }) =>
        save.mutate({
          body: {
            agencyId,
            ...(team ? { id: team.id } : {}),
            version: team?.version ?? 0,
            name,
            memberIds,
            categoryIds: work.categoryIds.map(Number),
            serviceIds: work.serviceIds.map(Number),
          },
        })
      }
    >
      <FormField
        control={control}
        name="name"
        validate={(name: string) => (name.trim() === '' ? t('nameMissing') : undefined)}
      >
        {(field) => (
          <TextField
            {...field}
            label={t('name')}
            description={t('nameHint')}
            autoComplete="off"
            dir="auto"
            maxLength={maximumTeamName}
          />
        )}
      </FormField>
      <FormField control={control} name="memberIds">
        {(field) => (
          <CheckboxGroup
            {...field}
            label={t('members')}
            description={teams.employees.length === 0 ? t('noEmployees') : undefined}
            isOptional
            choices={teams.employees.map(({ userId, fullName, username, isSuspended }) => ({
              value: userId,
              label: fullName,
              hint: (
                <>
                  <bdi>{username}</bdi>
                  {isSuspended ? <span>{` · ${t('suspended')}`}</span> : null}
                </>
              ),
            }))}
          />
        )}
      </FormField>
      <MembersNote control={control} teams={teams} team={team} />
      <FormField control={control} name="categoryIds">
        {(field) => (
          <CheckboxGroup
            {...field}
            label={t('categories')}
            description={t('categoriesHint')}
            isOptional
            choices={teams.categories.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        )}
      </FormField>
      <FormField control={control} name="serviceIds">
        {(field) => (
          <CheckboxGroup
            {...field}
            label={t('services')}
            description={t('servicesHint')}
            isOptional
            choices={teams.services.map(({ id, name, categoryId }) => ({
              value: String(id),
              label: name,
              hint: categoryIds.includes(String(categoryId))
                ? t('byCategory', { name: isolate(categoryName(categoryId) ?? '') })
                : undefined,
            }))}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

/** Deletes a team after a confirmation that says who sees what then. */
export function DeleteDialog({
  open: { agencyId, teams },
  team,
  onClose,
}: {
  open: OpenAgency;
  team: Team;
  onClose: () => void;
}) {
  const { t } = useTranslation('teams');
  const { list } = useFormat();
  const onChanged = useTeamsChanged(onClose);
  const remove = useAction(deleteTeam, {
    skipErrorHandling: true,
    onSuccess: () => onChanged(t('deleted')),
  });
  const others = teams.teams.filter(({ id }) => id !== team.id);
  const left = teams.employees.filter(
    ({ userId, seesWholeAgency }) =>
      !seesWholeAgency &&
      team.memberIds.includes(userId) &&
      others.every(({ memberIds }) => !memberIds.includes(userId)),
  );
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: isolate(team.name) })}
      confirmLabel={t('delete')}
      cancelLabel={t('cancel')}
      isDangerous
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ body: { agencyId, id: team.id, version: team.version } })}
      onClose={onClose}
    >
      <ErrorAlert error={remove.error} />
      <p>{t('deleteText')}</p>
      {left.length > 0 ? (
        <p>{t('willSeeNothing', { names: list(left.map(({ fullName }) => isolate(fullName))) })}</p>
      ) : null}
    </ConfirmDialog>
  );
}

/** Lets an employee see the whole agency, or only the work of their teams, after a confirmation. */
export function ReachDialog({
  open: { agencyId, teams },
  employee,
  onClose,
}: {
  open: OpenAgency;
  employee: TeamCandidate;
  onClose: () => void;
}) {
  const { t } = useTranslation('teams');
  const onChanged = useTeamsChanged(onClose);
  const change = useAction(changeTeamReach, {
    skipErrorHandling: true,
    onSuccess: () => onChanged(t('reachChanged')),
  });
  const { userId, fullName, seesWholeAgency } = employee;
  const isInTeam = teams.teams.some(({ memberIds }) => memberIds.includes(userId));
  const name = isolate(fullName);
  return (
    <ConfirmDialog
      title={seesWholeAgency ? t('limitTitle', { name }) : t('wholeTitle', { name })}
      confirmLabel={seesWholeAgency ? t('limit') : t('letSeeWhole')}
      cancelLabel={t('cancel')}
      isPending={change.isPending}
      onConfirm={() =>
        change.mutate({ body: { agencyId, userId, seesWholeAgency: !seesWholeAgency } })
      }
      onClose={onClose}
    >
      <ErrorAlert error={change.error} />
      <p>{seesWholeAgency ? t(isInTeam ? 'limitText' : 'limitTextNoTeam') : t('wholeText')}</p>
    </ConfirmDialog>
  );
}
