import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useUAEPass } from '#lib/auth/uae-pass.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { SavedFields } from '#ui/editing/permitted.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import {
  changeSecondFactorPolicy,
  factorRoles,
  getSecondFactor,
  getSecondFactorPolicy,
  type SecondFactorPolicy,
} from '@diwan/contract/people/second-factor';
import { RoleChanges } from '../admin/role-changes.tsx';

/** The roles that must have a second factor, with the effect of a change before it is saved. */
function PolicyForm({ policy }: { policy: SecondFactorPolicy }) {
  const { t } = useTranslation(['security', 'shell']);
  const { count } = useFormat();
  const session = useSession();
  const [chosen, setChosen] = useState<readonly string[]>(policy.roles);
  const { data: own } = useCall(getSecondFactor, {});
  const save = useAction(changeSecondFactorPolicy, {
    onSuccess: async () => {
      showToast(t('policy.saved'), 'success');
      await Promise.all(
        [getSecondFactorPolicy.name, getSecondFactor.name].map((name) =>
          queryClient.invalidateQueries({ queryKey: [name] }),
        ),
      );
    },
  });
  const isChanged = factorRoles.some(
    (role) => chosen.includes(role) !== policy.roles.includes(role),
  );
  const added = policy.standing.filter(
    ({ role }) => chosen.includes(role) && !policy.roles.includes(role),
  );
  const affected = added.reduce((sum, { people, withFactor }) => sum + people - withFactor, 0);
  const isSelf =
    own?.isSet === false && !session?.isUAEPass && added.some(({ role }) => hasRole(session, role));
  const roles = factorRoles.filter((role) => chosen.includes(role));
  return (
    <Card>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate({ body: { roles } });
        }}
      >
        <SavedFields call={changeSecondFactorPolicy}>
          <CheckboxGroup
            name="roles"
            label={t('policy.roles')}
            description={t('policy.rolesHint')}
            value={chosen}
            onChange={setChosen}
            choices={policy.standing.map(({ role, people, withFactor }) => ({
              value: role,
              label: t(`shell:roles.${role}`),
              hint: t('policy.standing', { withFactor: count(withFactor), people: count(people) }),
            }))}
          />
        </SavedFields>
        {affected > 0 ? (
          <Alert tone="warning" isLive>
            <span>{t('policy.affected', { count: affected })}</span>
            <span>{isSelf ? ` ${t('policy.self')}` : ''}</span>
          </Alert>
        ) : null}
        <div>
          <Button
            call={changeSecondFactorPolicy}
            type="submit"
            isDisabled={!isChanged}
            isPending={save.isPending}
            pendingLabel={t('factor.working')}
          >
            {t('policy.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** The sign-in settings of an admin. */
export function SignInSecurityPage() {
  const { t } = useTranslation('security');
  const isUAEPassEnabled = useUAEPass();
  usePageTitle(t('policy.title'));
  const { data, error, refetch, isFetching } = useCall(getSecondFactorPolicy, {});
  return (
    <div className="page pb-16">
      <AdminPageHeader title={t('policy.title')} lead={t('policy.lead')} />
      <div className="flex max-w-form flex-col gap-6">
        {data ? (
          <PolicyForm key={data.roles.join()} policy={data} />
        ) : error ? (
          <ErrorState
            error={error}
            title={t('factor.failed')}
            onRetry={refetch}
            isRetrying={isFetching}
          />
        ) : (
          <Skeleton>
            <SkeletonText lines={6} />
          </Skeleton>
        )}
        <div className="flex flex-col gap-2 text-sm text-ink-600">
          {isUAEPassEnabled ? <p>{t('policy.byUAEPass')}</p> : null}
          <p>{t('policy.lost')}</p>
        </div>
        <RoleChanges />
      </div>
    </div>
  );
}
