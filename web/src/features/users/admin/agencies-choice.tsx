import { useWatch, type Control } from 'react-hook-form';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import type { Position } from '@diwan/contract/staff/user-administration';
import { governmentRoles, portalWideRoles } from '@diwan/contract/wire/call';

type Agencies = Pick<Position, 'roles' | 'allAgencies' | 'agencies'>;

/** The fields of a form that chooses the agencies of an account beside its roles. */
export interface AgenciesFields {
  roles: string[];
  allAgencies: string;
  agencyIds: string[];
}

const hasOneOf = (roles: readonly string[], wanted: readonly string[]) =>
  wanted.some((role) => roles.includes(role));

/** The choice of an account as it is; an account that has no role of staff begins with no agency. */
export const agenciesBefore = ({ allAgencies, agencies }: Omit<Agencies, 'roles'>) => ({
  allAgencies: allAgencies ? 'all' : 'some',
  agencyIds: agencies.map(({ id }) => String(id)),
});

/** What a call gets of the choice; roles that see no requests of agencies have none. */
export function chosenAgencies({ roles, allAgencies, agencyIds }: AgenciesFields) {
  if (!hasOneOf(roles, governmentRoles)) return {};
  return hasOneOf(roles, portalWideRoles) ||
    (allAgencies === 'all' && !roles.includes('AgencyAdmin'))
    ? { allAgencies: true }
    : { allAgencies: false, agencyIds: agencyIds.map(Number) };
}

/** Whose requests somebody of the portal's staff sees, in words; undefined for everybody else. */
export function useAgenciesText() {
  const { t } = useTranslation('people');
  const format = useFormat();
  return ({ roles, allAgencies, agencies }: Agencies): string | undefined => {
    if (!hasOneOf(roles, governmentRoles)) return undefined;
    if (allAgencies) return t('agencies.all');
    if (agencies.length === 0) return t('agencies.none');
    return format.list(agencies.map(({ name }) => `\u2068${name}\u2069`));
  };
}

/**
 * Whose requests the account sees: those of all agencies, or of some. `current` are agencies of the
 * account, which may be retired. Nothing where the roles are of no use for it.
 */
export function AgenciesChoice<Values extends AgenciesFields>({
  control: own,
  current = [],
}: {
  control: Control<Values>;
  current?: Agencies['agencies'];
}) {
  // The form may have other fields too.
  const control = own as unknown as Control<AgenciesFields>;
  const { t } = useTranslation('people');
  // An administrator of agencies gives some of theirs.
  const agencies = useCall(getManagedAgencies, { staleTime: 3_600_000 });
  const givesAll = useMayCall(getRoleConfirmation);
  const [roles, allAgencies, agencyIds] = useWatch({
    control,
    name: ['roles', 'allAgencies', 'agencyIds'],
  });
  if (hasOneOf(roles, portalWideRoles)) return <p>{t('agencies.byRole')}</p>;
  const choosesAll = givesAll && !roles.includes('AgencyAdmin');
  if (!hasOneOf(roles, ['Employee', 'AgencyAdmin'])) return null;
  const found = agencies.data ?? [];
  const all = [...found, ...current.filter(({ id }) => !found.some((each) => each.id === id))];
  return (
    <>
      {choosesAll ? (
        <FormField control={control} name="allAgencies">
          {(field) => (
            <RadioGroup
              {...field}
              label={t('agencies.label')}
              choices={[
                { value: 'some', label: t('agencies.some') },
                { value: 'all', label: t('agencies.all'), hint: t('agencies.allHint') },
              ]}
            />
          )}
        </FormField>
      ) : null}
      {choosesAll && allAgencies === 'all' ? null : (
        <>
          <FormField control={control} name="agencyIds">
            {(field) => (
              <CheckboxGroup
                {...field}
                label={t('agencies.title')}
                isOptional
                choices={all.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
            )}
          </FormField>
          {agencyIds.length === 0 ? (
            <Alert tone="warning" isLive>
              {t('agencies.seesNothing')}
            </Alert>
          ) : null}
        </>
      )}
    </>
  );
}
