create or replace function figure_payment(payment payments, at timestamp with time zone, sign integer) returns void
language plpgsql as $$
declare
  request requests;
begin
  if at is null then
    return;
  end if;
  select * into request
  from requests
  where id = payment.request_id;
  perform enter_figure(
    figure_scopes(request.partner_id, request.came_to_provider, request.company_id),
    day_in_dubai(at),
    'paid',
    request.service_id,
    null,
    null,
    sign * payment.amount
  );
end $$;
