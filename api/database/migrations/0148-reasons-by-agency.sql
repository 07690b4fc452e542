-- A reason of an agency is offered for its requests only; one without an agency for all.
alter table rejection_reasons add column agency_id integer references agencies;
