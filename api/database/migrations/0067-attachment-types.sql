-- Documents that many services ask for, such as a passport. An admin chooses one when a service is built: its texts, formats and
-- limits are copied into the service, so that a later change of the type changes no published form.
create table attachment_types (
  id integer generated always as identity primary key,
  name jsonb not null,
  description jsonb,
  media_types text[] not null check (media_types <> '{}'),
  maximum_bytes integer not null check (maximum_bytes > 0),
  maximum_count integer not null check (maximum_count between 1 and 10),
  position integer not null,
  version integer not null default 1,
  retired_at timestamptz
);
