-- Applicants withdraw requests. The rule of a service says what of its fees is then paid back; a request
-- has the rule of its day, and none if it was sent before there was one.
alter table services add column withdrawal jsonb not null
  default '{"beforeWork": "full", "afterWork": "part"}';
alter table requests add column withdrawal jsonb;
alter table workflow_ends drop constraint workflow_ends_tone_check;
alter table workflow_ends add constraint workflow_ends_tone_check
  check (tone in ('done', 'refused', 'withdrawn'));
