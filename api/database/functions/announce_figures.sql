-- Announces that a request may count otherwise than before; the job that folds figures reads it.
create or replace function announce_figures() returns trigger
language plpgsql as $$
begin
  if tg_table_name = 'requests' then
    insert into figure_changes (request_id) values (new.id);
  elsif tg_table_name = 'payment_events' then
    insert into figure_changes (request_id)
    select request_id
    from payments
    where id = new.payment_id;
  else
    insert into figure_changes (request_id) values (new.request_id);
  end if;
  return null;
end $$;
