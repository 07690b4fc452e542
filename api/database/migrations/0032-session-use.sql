-- When the user of a session last did something, to a minute. Background calls of an open page do not count (decision 0037).
alter table sessions add column used_at timestamptz not null default now();
