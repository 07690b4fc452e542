-- Actions of staff take effect some seconds after they were sent when the caller asks for it, so that they can be undone before anybody is notified (decision 0052).
create table held_actions (
  id integer generated always as identity primary key,
  request_id bigint not null references requests (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  action text not null,
  -- The version that the user saw, and the rest of the call. `json` keeps the order of the names, which the hash of the call depends on.
  version integer not null,
  is_silent boolean not null,
  sent json not null,
  sent_hash text,
  acts_at timestamptz not null,
  -- The refusal of an action that failed when it was to take effect; kept until its user has read it.
  refusal text
);
create unique index held_actions_request on held_actions (request_id) where refusal is null;
create index held_actions_due on held_actions (acts_at) where refusal is null;
create index held_actions_user on held_actions (user_id);
