import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { resendCompanyInvitation } from '@diwan/contract/people/company-users';
import { renewToken } from '../../lib/api/fresh-token.ts';
import { messageOf } from '../../lib/api/handle-error.ts';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { currentSession } from '../../lib/api/session.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { CompanyConfirmDialog, type CompanyDecision } from './company-confirm-dialog.tsx';
import { CompanyInvitations, CompanyPeople } from './company-people.tsx';
import { useCompanyAction, useCompanyUsers } from './company-users.data.ts';
import { InviteDialog } from './invite-dialog.tsx';

/**
 * The people of the own company: everybody sees them, a manager invites, removes and hands over.
 */
export function CompanyUsersPage() {
  const { t } = useTranslation('companies');
  const navigate = useNavigate();
  const people = useCompanyUsers();
  const [isInviting, setIsInviting] = useState(false);
  const [decision, setDecision] = useState<CompanyDecision>();
  const resend = useCompanyAction(resendCompanyInvitation, {
    done: t('invite.done'),
    onDone: () => undefined,
  });
  usePageTitle(t('title'));
  const { data, error } = people;
  const leave = async () => {
    const session = currentSession();
    // The token still says that this person belongs to the company.
    if (session) await renewToken(session.token).catch(() => null);
    await navigate('/home');
  };
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={data ? <bdi>{data.companyName}</bdi> : undefined}
        action={
          data?.isManager ? (
            <Button icon={<UserPlus aria-hidden size={20} />} onPress={() => setIsInviting(true)}>
              {t('invite.open')}
            </Button>
          ) : undefined
        }
      />
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={people.refetch} isRetrying={people.isRefetching} />
        ) : (
          <SkeletonRows count={3} />
        )
      ) : (
        <div className="flex flex-col gap-8">
          {data.isManager ? null : <Notice>{t('onlyManagers')}</Notice>}
          <CompanyPeople users={data.users} decide={data.isManager ? setDecision : undefined} />
          {data.isManager ? (
            <section>
              <h2 className="pb-3 text-lg">{t('invitations.title')}</h2>
              {resend.error ? (
                <div className="pb-4">
                  <Notice tone="danger" isLive>
                    {messageOf(resend.error)}
                  </Notice>
                </div>
              ) : null}
              {data.invitations.length > 0 ? (
                <CompanyInvitations
                  invitations={data.invitations}
                  decide={setDecision}
                  sending={resend.isPending ? resend.variables?.body?.invitationId : undefined}
                  resend={(invitationId) => {
                    if (!resend.isPending) resend.act({ invitationId });
                  }}
                />
              ) : (
                <p className="text-ink-600">{t('invitations.none')}</p>
              )}
            </section>
          ) : null}
        </div>
      )}
      {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
      {decision ? (
        <CompanyConfirmDialog
          key={`${decision.kind}${decision.id}`}
          decision={decision}
          onClose={() => setDecision(undefined)}
          onLeft={() => void leave()}
        />
      ) : null}
    </div>
  );
}
