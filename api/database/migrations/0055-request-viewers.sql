-- Who has a request open at the moment, by connection to a hub. The rows of a process that died expire. Nothing is lost when the server
-- of the database crashes and empties the table: a connection stores its rows again.
create unlogged table request_viewers (
  connection_id uuid not null,
  request_id bigint not null references requests,
  user_id uuid not null references users,
  opened_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (connection_id, request_id)
);
create index request_viewers_request on request_viewers (request_id);
