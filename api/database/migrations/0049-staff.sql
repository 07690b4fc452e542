-- Staff begin with an invitation: the link holds the token, the table its hash. It has no token until
-- it is sent, which may wait for a second administrator.
create table staff_invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email)),
  full_name text not null,
  roles text[] not null check (cardinality(roles) > 0),
  partner_id integer references partners,
  language text not null,
  token_hash text unique,
  invited_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  sent_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid references users,
  cancelled_at timestamptz
);
create unique index staff_invitations_open on staff_invitations (email)
  where accepted_at is null and cancelled_at is null;

-- Changes of roles that wait for a second administrator: of an account, an invitation, or the end of
-- this rule itself. `before` and `after` hold roles and the partner.
create table role_changes (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('roles', 'invitation', 'confirmationOff')),
  user_id uuid references users,
  user_version integer,
  invitation_id uuid references staff_invitations,
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  asked_by uuid not null references users,
  asked_at timestamptz not null default now(),
  decision text check (decision in ('confirmed', 'refused', 'withdrawn')),
  decided_by uuid references users,
  decided_at timestamptz,
  check ((kind = 'roles') = (user_id is not null)),
  check ((kind = 'invitation') = (invitation_id is not null)),
  check (num_nulls(decision, decided_by, decided_at) in (0, 3)),
  constraint role_changes_second_person
    check (decision is distinct from 'confirmed' or decided_by <> asked_by)
);
create unique index role_changes_user on role_changes (user_id) where decision is null;
create unique index role_changes_invitation on role_changes (invitation_id) where decision is null;
create unique index role_changes_off on role_changes (kind)
  where decision is null and kind = 'confirmationOff';
