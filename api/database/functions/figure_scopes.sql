create or replace function figure_scopes(partner_id integer, came_to_provider boolean, company_id integer) returns integer[]
language sql immutable parallel safe
return ((ARRAY[0] || CASE WHEN (came_to_provider AND (partner_id IS NOT NULL)) THEN ARRAY[partner_id] ELSE NULL::integer[] END) || CASE WHEN (company_id IS NOT NULL) THEN ARRAY[(- company_id)] ELSE NULL::integer[] END);
