import { currentSession } from '#lib/api/session.ts';
import { homeAddressOf } from '#lib/auth/home-address.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import {
  acceptStaffInvitation,
  joinStaff,
  readStaffInvitation,
} from '@diwan/contract/staff/staff-invitations';
import { InvitationView, type InvitationKind } from './invitation-view.tsx';

const kind: InvitationKind = {
  texts: 'people',
  path: '/account/invitation',
  accept: acceptStaffInvitation,
  join: joinStaff,
};

/** The target of the link in an invitation of staff. */
export function StaffInvitationPage() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return (
    <InvitationView
      kind={kind}
      read={readStaffInvitation}
      // The home page would end the session that has just begun (specification §2).
      onJoined={() => void navigate(homeAddressOf(currentSession()), { replace: true })}
    >
      {({ roles, partner, agencies }) => (
        <>
          <p className="py-2 text-xl font-semibold">
            {roles.map((role) => t(`roles.${role}`)).join(t('listSeparator'))}
          </p>
          {partner ? (
            <p className="pb-2 font-semibold">
              <bdi>{partner.name}</bdi>
            </p>
          ) : null}
          {agencies.map(({ id, name }) => (
            <p key={id} className="pb-2 font-semibold">
              <bdi>{name}</bdi>
            </p>
          ))}
        </>
      )}
    </InvitationView>
  );
}
