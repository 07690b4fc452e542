import { useNavigate } from '#lib/router/router-provider.tsx';
import {
  acceptCompanyInvitation,
  joinCompany,
  readCompanyInvitation,
} from '@diwan/contract/people/companies';
import { InvitationView, type InvitationKind } from '../users/register/invitation-view.tsx';

const kind: InvitationKind = {
  texts: 'companies',
  path: '/companies/join',
  accept: acceptCompanyInvitation,
  join: joinCompany,
};

/** The target of the link in an invitation to a company. */
export function JoinCompanyPage() {
  const navigate = useNavigate();
  return (
    <InvitationView
      kind={kind}
      read={readCompanyInvitation}
      onJoined={() => void navigate('/companies/users', { replace: true })}
    >
      {({ companyName }) => (
        <p className="py-2 text-xl font-semibold">
          <bdi>{companyName}</bdi>
        </p>
      )}
    </InvitationView>
  );
}
