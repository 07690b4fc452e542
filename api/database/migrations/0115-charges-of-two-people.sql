-- Fines and fees above a limit wait for a second person as an action that is held. `added` is what the
-- staff adds to the request, without VAT, in fils.
alter table held_actions
  add column added bigint not null default 0,
  add column waits_for_second boolean not null default false,
  add column confirmed_by uuid references users (id);

drop index held_actions_due;
create index held_actions_due on held_actions (acts_at)
  where refusal is null and not waits_for_second;
create index held_actions_second on held_actions (id)
  where refusal is null and waits_for_second;

alter table request_history
  add column added bigint not null default 0 check (added >= 0),
  add column confirmed_by uuid references users (id);
