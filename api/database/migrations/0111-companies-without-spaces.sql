-- A company is found with and without the spaces within its name, as persons are (0099).
drop index companies_search;
create index companies_search on companies using gin (
  replace(
    fold_text(
      (name ->> 'ar-EG') || ' ' || (name ->> 'en-US') || ' ' || (name ->> 'ur-PK') || ' '
        || coalesce(licence_number, '')
    ),
    ' ',
    ''
  ) gin_trgm_ops
);
