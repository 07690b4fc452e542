-- What an admin decides for the whole portal, by name.
create table settings (
  name text primary key,
  value jsonb not null,
  changed_at timestamptz not null default now()
);

-- The authenticator app of a user. Secrets are sealed (decision 0018); the pending one becomes the secret once a code of it is right, and until then
-- belongs to the session that began. `last_step` is the newest time step whose code was used: none is taken twice.
create table second_factors (
  user_id uuid primary key references users,
  secret text,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  pending_secret text,
  pending_session uuid,
  pending_since timestamptz,
  check ((secret is null) = (confirmed_at is null)),
  check ((pending_secret is null) = (pending_session is null) and (pending_secret is null) = (pending_since is null))
);

-- Hashes of the codes for somebody without the app; each works once.
create table recovery_codes (
  user_id uuid not null references users,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
