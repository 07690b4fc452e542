-- A request that reaches its provider counts in the figures of the provider, also where the provider
-- was chosen before.
drop trigger requests_figures on requests;
create trigger requests_figures after update of partner_id, came_to_provider on requests
  for each row when (
    new.partner_id is distinct from old.partner_id
    or new.came_to_provider is distinct from old.came_to_provider
  )
  execute function announce_figures();
