-- Announces a change to all processes, on the channel that the trigger names.
create or replace function announce_change() returns trigger
language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end $$;
