create or replace function due_day(begun date, working_days integer) returns date
language sql immutable parallel safe
return CASE WHEN (working_days <= 0) THEN begun ELSE ((((begun - (EXTRACT(isodow FROM begun))::integer) + ((((LEAST((EXTRACT(isodow FROM begun))::integer, 5) + working_days) - 1) / 5) * 7)) + (((LEAST((EXTRACT(isodow FROM begun))::integer, 5) + working_days) - 1) % 5)) + 1) END;
