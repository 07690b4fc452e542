-- Agencies that an administrator left without another one. The portal's administrators see those that still
-- have none.
create table administrator_losses (
  agency_id integer primary key references agencies (id),
  lost_at timestamptz not null default now()
);
