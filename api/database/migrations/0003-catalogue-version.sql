-- Each process keeps the catalogue in memory and asks for this number to know whether it has changed. It changes in the transaction of
-- the change itself, whoever makes it, so that nobody reads the new number with the old rows.
create table catalogue_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into catalogue_version (version) values (1);

create function count_catalogue_change() returns trigger language plpgsql as $$
begin
  update catalogue_version set version = version + 1;
  return null;
end $$;
create trigger account_types_changed after insert or update or delete or truncate on account_types for each statement execute function count_catalogue_change();
create trigger agencies_changed after insert or update or delete or truncate on agencies for each statement execute function count_catalogue_change();
create trigger categories_changed after insert or update or delete or truncate on categories for each statement execute function count_catalogue_change();
create trigger services_changed after insert or update or delete or truncate on services for each statement execute function count_catalogue_change();
create trigger service_account_types_changed after insert or update or delete or truncate on service_account_types for each statement execute function count_catalogue_change();
