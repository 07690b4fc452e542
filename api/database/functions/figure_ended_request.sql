create or replace function figure_ended_request() returns trigger
language plpgsql as $$
declare
  request requests;
begin
  if not exists (select from workflow_ends where status_id = new.to_status_id) then
    return null;
  end if;
  select requests.* into request
  from requests
  join workflow_ends
    on workflow_ends.workflow_id = requests.workflow_id
    and workflow_ends.status_id = new.to_status_id
  where requests.id = new.request_id;
  if found then
    perform enter_end(
      request,
      new,
      figure_scopes(request.partner_id, request.came_to_provider, request.company_id)
    );
  end if;
  return null;
end $$;
