-- People who sign in by UAE PASS have no password; they are known by its identifier and, once verified, by their Emirates ID.
alter table users
  alter column password_hash drop not null,
  add column emirates_id text unique,
  add column uaepass_id text unique,
  add column full_name_ar text,
  add column suspended_at timestamptz;
alter table sessions add column is_uae_pass boolean not null default false;
create index sessions_user on sessions (user_id, created_at);

-- A sign-in under way at UAE PASS: what came from the browser is kept as a hash, so that a copy of this table signs nobody in.
create table identity_attempts (
  state_hash text primary key,
  browser_hash text not null,
  verifier text,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index identity_attempts_created on identity_attempts (created_at);

-- Tries with a password by account and device or network, all as hashes: the name that was typed may be a password. See docs/decisions/0010.
create table sign_in_tries (
  key text primary key,
  tries integer not null,
  wait_until timestamptz not null,
  last_at timestamptz not null default now()
);
create index sign_in_tries_last on sign_in_tries (last_at);

-- A key signs from activates_at until the next one does; it verifies for as long as the tokens that it signed are worth something.
alter table signing_keys add column activates_at timestamptz not null default now();
update signing_keys set activates_at = created_at;

-- What happened to sign-ins, passwords, roles and sessions. Never changed or deleted.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  user_id uuid references users,
  session_id uuid,
  address text,
  detail jsonb not null default '{}'
);
create index audit_events_at on audit_events (at desc, id desc);
create index audit_events_user on audit_events (user_id, id desc);
create index audit_events_kind on audit_events (kind, id desc);
create trigger audit_events_append_only before update or delete on audit_events for each row execute function refuse_change();
create trigger audit_events_never_emptied before truncate on audit_events for each statement execute function refuse_change();

-- Whoever changes roles or suspends somebody, by the product or by hand, leaves a trace.
create function audit_user_change() returns trigger language plpgsql as $$
begin
  if new.roles is distinct from old.roles then
    insert into audit_events (kind, user_id, detail) values ('rolesChanged', new.id, jsonb_build_object('before', old.roles, 'after', new.roles));
  end if;
  if (new.suspended_at is null) <> (old.suspended_at is null) then
    insert into audit_events (kind, user_id) values (case when new.suspended_at is null then 'accountRestored' else 'accountSuspended' end, new.id);
  end if;
  return null;
end $$;
create trigger users_audited after update on users for each row execute function audit_user_change();
