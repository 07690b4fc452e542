-- Lists sorted and filtered by the due day (decision 0051). It is a column: it follows from the history, which a list cannot be sorted by.

-- The last of some working days (Monday to Friday) after a day, as `calculateDueDate` counts them.
create function due_day(begun date, working_days integer) returns date
language sql immutable parallel safe return
  case
    when working_days <= 0 then begun
    else begun
      - (extract(isodow from begun))::integer
      + (least(extract(isodow from begun)::integer, 5) + working_days - 1) / 5 * 7
      + (least(extract(isodow from begun)::integer, 5) + working_days - 1) % 5
      + 1
  end;

-- Null while the applicant has to act, after the end, and without promised working days.
alter table requests add column due_on date;

-- The versions and times of requests do not change.
update requests
set due_on = due_day(day_in_dubai(begun.at), requests.working_days)
from (
  select request_id, max(at) as at
  from request_history
  where action in ('create', 'pay', 'update')
  group by request_id
) as begun, workflows
where begun.request_id = requests.id
  and workflows.id = requests.workflow_id
  and requests.working_days > 0
  and jsonb_path_exists(
    workflows.document,
    '$.statuses[*] ? (@.statusId == $status && @.tone == "progress")',
    jsonb_build_object('status', requests.status_id)
  );

-- Only requests in progress are in it, a few of a hundred. It answers every filter of a list without their rows.
create index requests_due on requests (due_on, created_at desc, id desc)
  include (status_id, service_id, partner_id, holder_id)
  where due_on is not null;
