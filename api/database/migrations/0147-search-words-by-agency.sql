-- Synonyms of an agency find the services of this agency only; those without one, all services.
alter table search_synonyms add column agency_id integer references agencies;
