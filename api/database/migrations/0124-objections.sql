-- Applicants object to a rejection or a fine until a day, which the step that decides sets by the rule
-- of the service: so many days, or none.
alter table services add column objection_days integer not null default 30
  check (objection_days between 0 and 365);
alter table requests add column objection_until date;
