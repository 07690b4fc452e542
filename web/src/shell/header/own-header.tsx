import type { Session } from '../../lib/api/session.ts';
import { Bell } from './bell.tsx';
import { UserMenu } from './user-menu.tsx';
import { sees } from '../navigation/visibility.ts';

/** What the header holds of somebody who is signed in. */
export function OwnHeader({ session }: { session: Session }) {
  // A token that was renewed is the same person's, whose connection stays; another person has their
  // own.
  return (
    <>
      {sees(session, 'bell') ? <Bell key={session.ssid} session={session} /> : null}
      <UserMenu session={session} />
    </>
  );
}
