create or replace function days_late(request requests, ended_at timestamp with time zone) returns integer
language sql stable as $$
  select working_days_before(day_in_dubai(ended_at) + 1)
    - working_days_before(
      day_in_dubai(
        coalesce(
          (
            select min(paid.at)
            from request_history paid
            where paid.request_id = request.id and paid.action = 'pay' and paid.at <= ended_at
          ),
          request.created_at
        )
      ) + 1
    )
    - request.working_days
$$;
