-- A hold also ends when the next one begins: a workflow may let staff extend it, which changes no
-- status. Two holds would end at the same time otherwise, and their days would count twice.
create or replace view request_holds as
  select held.request_id, held.id as history_id, held.at as begun_at, ended.at as ended_at
  from request_history as held
  left join lateral (
    select later.at
    from request_history as later
    where later.request_id = held.request_id
      and later.id > held.id
      and (later.from_status_id is distinct from later.to_status_id or later.hold_until is not null)
    order by later.id
    limit 1
  ) as ended on true
  where held.hold_until is not null;
