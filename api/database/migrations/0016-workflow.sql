-- Which workflow new requests follow. The newest line counts: of the service, else in general (service_id is null), else the deployment's own document.
-- A line without a workflow takes the choice back.
create table workflow_choices (
  id bigint generated always as identity primary key,
  service_id integer references services,
  workflow_id integer references workflows,
  chosen_by uuid references users,
  at timestamptz not null default now()
);
create index workflow_choices_service on workflow_choices (service_id, id desc);
create trigger workflow_choices_append_only before update or delete on workflow_choices for each row execute function refuse_change();
create index requests_workflow on requests (workflow_id);

-- What an action added to pay, in fils. The fees at the start and all that was added are the request's total.
alter table request_history add column charged bigint not null default 0 check (charged >= 0);

-- Each time that something is added to pay, a new round begins; of each round one payment is open or paid, whatever two browsers do at once.
alter table requests add column payment_round integer not null default 1;
alter table payments add column round integer not null default 1;
drop index payments_one_alive;
create unique index payments_one_alive on payments (request_id, round) where status in ('pending', 'paid');
