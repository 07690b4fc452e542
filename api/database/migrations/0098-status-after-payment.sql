-- Where the payment of a charge leads: to where the charging action would have led without it. Null
-- where nothing was charged; the payment leads where the workflow says then.
alter table requests add column paid_status_id integer;

-- Requests that wait for the payment of a charge get the target of the action that charged, where
-- their workflow has one.
update requests
set paid_status_id = waiting.target
from (
  select requests.id, min((cell ->> 'to')::int) as target
  from workflows
  cross join lateral jsonb_array_elements(document -> 'transitions') as pay
  join requests
    on requests.workflow_id = workflows.id
    and requests.status_id = (pay ->> 'from')::int
  cross join lateral (
    select action, from_status_id, charged
    from request_history
    where request_id = requests.id and action <> 'reassign'
    order by id desc
    limit 1
  ) as charge
  cross join lateral jsonb_array_elements(document -> 'transitions') as cell
  where pay ->> 'action' = 'pay'
    and charge.charged > 0
    and cell ->> 'action' = charge.action
    and (cell ->> 'from')::int = charge.from_status_id
    and (cell ->> 'toPay')::int = requests.status_id
  group by requests.id
  having count(distinct cell ->> 'to') = 1
) as waiting
where requests.id = waiting.id;
