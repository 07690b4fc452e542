-- Certificates: a template for each service, and what was issued, with numbers without a gap.
create table certificate_templates (
  service_id int primary key references services,
  title jsonb not null,
  body jsonb not null,
  is_active boolean not null,
  version int not null default 1
);
create table certificates (
  id bigint generated always as identity primary key,
  request_id bigint not null unique references requests,
  series text not null references invoice_counters,
  sequence bigint not null,
  number text not null unique,
  -- Everything that the document shows, as it was when it was issued.
  content jsonb not null,
  issued_at timestamptz not null,
  unique (series, sequence)
);
create trigger certificates_append_only before update or delete on certificates for each row execute function refuse_change();
create trigger certificates_never_emptied before truncate on certificates for each statement execute function refuse_change();
