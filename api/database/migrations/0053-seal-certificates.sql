-- The certificates with which this deployment sealed documents: a seal of a former key stays genuine.
create table seal_certificates (
  fingerprint text primary key,
  certificate text not null,
  first_used_at timestamptz not null default now()
);
create trigger seal_certificates_append_only before update or delete on seal_certificates for each row execute function refuse_change();
create trigger seal_certificates_never_emptied before truncate on seal_certificates for each statement execute function refuse_change();
