-- What dashboards count is written down as it happens, in the transaction in which it happens, and read in sums by day. Decision 0026.

-- How many Mondays to Fridays lie before a day, counted from a Monday: the difference of two is the working days between them.
create function working_days_before(day date) returns integer language sql immutable parallel safe return (day - date '1970-01-05') / 7 * 5 + least((day - date '1970-01-05') % 7, 5);
create function day_in_dubai(instant timestamptz) returns date language sql immutable parallel safe return (instant at time zone 'Asia/Dubai')::date;
-- Whose figures a request is in: 0 is everybody's, a positive one that of the partner to whom it has come, a negative one that of the company.
create function figure_scopes(partner_id integer, came_to_provider boolean, company_id integer) returns integer[] language sql immutable parallel safe
  return array[0] || case when came_to_provider and partner_id is not null then array[partner_id] end || case when company_id is not null then array[-company_id] end;

-- The truth that figures are made of, from the rows themselves: a request was sent, was ended well or badly, was paid for. Its clock starts when it is first paid, or when it is
-- sent where nothing is paid, and stops at its end. source_id is the line of history or the payment.
create view request_facts as
  select requests.id as request_id, null::bigint as source_id, scope, day_in_dubai(requests.created_at) as day, 'created' as kind, requests.service_id, null::integer as working_days, null::integer[] as seconds, 1::bigint as amount
  from requests cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope
union all
  select requests.id, history.id, scope, day_in_dubai(history.at), tones.tone, requests.service_id,
    case tones.tone when 'done' then working_days_before(day_in_dubai(history.at) + 1) - working_days_before(day_in_dubai(clock.started_at) + 1) end,
    case tones.tone when 'done' then array[greatest(0, extract(epoch from history.at - clock.started_at))::integer] end, 1
  from request_history history join requests on requests.id = history.request_id
    join (select workflows.id as workflow_id, (status ->> 'statusId')::integer as status_id, status ->> 'tone' as tone from workflows cross join lateral jsonb_array_elements(workflows.document -> 'statuses') as status) as tones
      on tones.workflow_id = requests.workflow_id and tones.status_id = history.to_status_id
    cross join lateral (select coalesce((select min(paid.at) from request_history paid where paid.request_id = requests.id and paid.action = 'pay' and paid.at <= history.at), requests.created_at) as started_at) as clock
    cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope
  where history.from_status_id is distinct from history.to_status_id and tones.tone in ('done', 'refused')
union all
  select requests.id, payments.id, scope, day_in_dubai(first.at), 'paid', requests.service_id, null, null, payments.amount
  from payments join requests on requests.id = payments.request_id
    cross join lateral (select min(occurred_at) as at from payment_events where payment_id = payments.id and kind = 'paid') as first
    cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope
  where payments.status = 'paid' and first.at is not null;

-- A fact is entered by its day alone, and by its service as well, there by day and by month: a year is then read as some months, and the days at its ends. What nobody asks a service about is not entered for it.
create function figure_entries(day date, kind text, service_id integer, working_days integer)
returns table (grain text, entry_day date, entry_service integer, entry_working_days integer) language sql immutable parallel safe rows 3 as $$
  select 'total', day, null::integer, null::integer
  union all select 'day', day, service_id, working_days where kind in ('created', 'done')
  union all select 'month', date_trunc('month', day)::date, service_id, working_days where kind in ('created', 'done')
$$;

-- Entries are only ever added, so that no clerk waits for another; from time to time those of a day or a month are put together (is_sum), and the times that requests took into one entry
-- of kind 'time' a day. What a figure is, is the sum of its entries. amount is a number of requests, or fils where kind is 'paid'; seconds are with the totals.
create table request_figures (
  scope integer not null,
  grain text not null check (grain in ('total', 'day', 'month')),
  day date not null,
  kind text not null check (kind in ('created', 'done', 'refused', 'paid', 'time')),
  service_id integer,
  working_days integer,
  seconds integer[],
  amount bigint not null,
  is_sum boolean not null default false
);
create index request_figures_day on request_figures (scope, grain, day);
create index request_figures_loose on request_figures (scope, grain, day) where not is_sum;

-- From nothing, for all that there is: this upgrade, and requests that came in without triggers.
create function fill_request_figures() returns void language sql as $$
  truncate request_figures;
  with facts as materialized (select scope, day, kind, service_id, working_days, seconds, amount from request_facts),
    by_day as materialized (select scope, day, kind, service_id, working_days, sum(amount) as amount from facts group by scope, day, kind, service_id, working_days)
  insert into request_figures (scope, grain, day, kind, service_id, working_days, seconds, amount, is_sum)
    select scope, grain, entry_day, kind, entry_service, entry_working_days, null, sum(amount), true from by_day cross join lateral figure_entries(day, kind, service_id, working_days) group by scope, grain, entry_day, kind, entry_service, entry_working_days
    union all select scope, 'total', day, 'time', null, null, array_agg(second order by second), 0, true from facts cross join lateral unnest(seconds) as second group by scope, day
    order by 1, 2, 3;
$$;
select fill_request_figures();
analyze request_figures;

-- The facts of a request, all or one, in all scopes or in its partner's alone.
create function enter_figures(id bigint, source bigint, kinds text[], in_all boolean) returns void language sql as $$
  insert into request_figures (scope, grain, day, kind, service_id, working_days, seconds, amount)
    select scope, grain, entry_day, kind, entry_service, entry_working_days, case grain when 'total' then seconds end, amount
    from request_facts cross join lateral figure_entries(day, kind, service_id, working_days)
    where request_id = id and (source is null or source_id = source) and kind = any(kinds) and (in_all or scope > 0)
$$;

create function figure_sent_request() returns trigger language plpgsql as $$
begin
  perform enter_figures(new.id, null, array['created'], true);
  return null;
end $$;
create trigger requests_figure_sent after insert on requests for each row execute function figure_sent_request();

-- From now on the provider sees it, with all that has been.
create function figure_came_to_provider() returns trigger language plpgsql as $$
begin
  perform enter_figures(new.id, null, array['created', 'done', 'refused', 'paid'], false);
  return null;
end $$;
create trigger requests_figure_came after update of came_to_provider on requests for each row when (new.came_to_provider and not old.came_to_provider) execute function figure_came_to_provider();

create function figure_ended_request() returns trigger language plpgsql as $$
begin
  perform enter_figures(new.request_id, new.id, array['done', 'refused'], true);
  return null;
end $$;
create trigger request_history_figure after insert on request_history for each row when (new.from_status_id is distinct from new.to_status_id) execute function figure_ended_request();

-- A payment counts on the day of the first word that it was paid, as long as it counts as paid.
create function figure_payment(payment payments, at timestamptz, sign integer) returns void language sql as $$
  insert into request_figures (scope, grain, day, kind, amount)
    select scope, 'total', day_in_dubai(at), 'paid', sign * payment.amount from requests cross join lateral unnest(figure_scopes(requests.partner_id, requests.came_to_provider, requests.company_id)) as scope where requests.id = payment.request_id and at is not null;
$$;
create function figure_payment_status() returns trigger language plpgsql as $$
begin
  perform figure_payment(new, (select min(occurred_at) from payment_events where payment_id = new.id and kind = 'paid'), case when new.status = 'paid' then 1 else -1 end);
  return null;
end $$;
create trigger payments_figure after update of status on payments for each row when ((new.status = 'paid') <> (old.status = 'paid')) execute function figure_payment_status();

-- Several words of one payment may come in one statement: each row by itself would take the other for an earlier one.
create function figure_payment_events() returns trigger language plpgsql as $$
declare moved record;
begin
  for moved in select payments as payment, min(occurred_at) filter (where not exists (select from fresh where fresh.id = payment_events.id)) as before, min(occurred_at) as after
    from payments join payment_events on payment_events.payment_id = payments.id
    where payments.id in (select payment_id from fresh where kind = 'paid') and payments.status = 'paid' and payment_events.kind = 'paid' group by payments
  loop
    if moved.before is distinct from moved.after then
      perform figure_payment(moved.payment, moved.before, -1);
      perform figure_payment(moved.payment, moved.after, 1);
    end if;
  end loop;
  return null;
end $$;
create trigger payment_events_figure after insert on payment_events referencing new table as fresh for each statement execute function figure_payment_events();

-- Trigrams are made of letters, and where a database has the ctype C, as the embedded one, PostgreSQL takes only those of ASCII for letters: no index helped to find a rare name in Arabic or Urdu. In the index each
-- letter of theirs, as fold_text leaves them, is one of ASCII; what is found so is compared with the words themselves.
create function search_key(value text) returns text language sql immutable strict parallel safe return translate(value, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويپٹچڈڑژگ', 'abcdefghijklmnopqrstuvwxyz012345678');
drop index requests_search, users_search, attachments_search;
create index requests_search on requests using gin (search_key(search_text) gin_trgm_ops);
create index users_search on users using gin (search_key(fold_text(username || ' ' || full_name || ' ' || email || ' ' || phone_number)) gin_trgm_ops);
create index attachments_search on attachments using gin (search_key(fold_text(file_name)) gin_trgm_ops);
alter index requests_search alter column 1 set statistics 1000;
