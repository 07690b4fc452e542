-- Figures are folded by a job (decision 0103). Triggers only announce which requests have changed.
create table figure_changes (
  request_id bigint not null,
  at timestamptz not null default now()
);
alter table figure_changes set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000
);

drop trigger requests_figure_sent on requests;
drop trigger requests_figure_came on requests;
drop trigger requests_figure_partner on requests;
drop trigger request_history_figure on request_history;
drop trigger payments_figure on payments;
drop trigger payment_events_figure on payment_events;

-- What each request is in the figures, so that the job adds only what has changed.
alter view request_facts rename to request_facts_before;
create table request_facts (
  request_id bigint not null,
  source_id bigint,
  scope integer not null,
  day date not null,
  kind text not null check (kind in ('created', 'done', 'refused', 'paid')),
  service_id integer not null,
  days_late integer,
  seconds integer,
  amount bigint not null
);
insert into request_facts
select request_id, source_id, scope, day, kind, service_id, days_late, seconds[1], amount
from request_facts_before
order by request_id;
alter table request_facts
  add foreign key (request_id) references requests,
  add foreign key (service_id) references services;
create index request_facts_request on request_facts (request_id);
drop view request_facts_before;

drop function figure_sent_request;
drop function figure_came_to_provider;
drop function figure_changed_partner;
drop function figure_ended_request;
drop function figure_payment_status;
drop function figure_payment_events;
drop function figure_payment;
drop function enter_end;
drop function enter_figure;
drop function fill_request_figures;
drop function figure_entries;
drop function figure_scopes;
drop function days_late;
drop function working_days_before;

create function announce_figures() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger request_history_figures after insert on request_history
  for each row when (new.from_status_id is distinct from new.to_status_id)
  execute function announce_figures();
create trigger payment_events_figures after insert on payment_events
  for each row when (new.kind = 'paid')
  execute function announce_figures();
create trigger payments_figures after update of status, amount on payments
  for each row when (new.status is distinct from old.status or new.amount <> old.amount)
  execute function announce_figures();
create trigger requests_figures after update of partner_id on requests
  for each row when (new.partner_id is distinct from old.partner_id)
  execute function announce_figures();
