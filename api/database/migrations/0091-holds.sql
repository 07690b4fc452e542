-- A request on hold: until which day, and why. Decision 0101.
alter table requests
  add column hold_until date,
  add column hold_reason jsonb,
  add constraint requests_hold check ((hold_until is null) = (hold_reason is null));
create index requests_hold on requests (hold_until) where hold_until is not null;

-- The day of a step that puts a request on hold.
alter table request_history add column hold_until date;

-- The holds of requests; ended_at is null while one lasts. Their clock stands still meanwhile.
create view request_holds as
  select held.request_id, held.id as history_id, held.at as begun_at, ended.at as ended_at
  from request_history as held
  left join lateral (
    select later.at
    from request_history as later
    where later.request_id = held.request_id
      and later.id > held.id
      and later.from_status_id is distinct from later.to_status_id
    order by later.id
    limit 1
  ) as ended on true
  where held.hold_until is not null;
