-- An invitation names the agencies whose requests the invited employee will see, as an account does.
-- Those that are open keep what they promised: all agencies. Decision 0142.
alter table staff_invitations
  add column all_agencies boolean not null default false,
  add column agency_ids integer[] not null default '{}';

update staff_invitations
set all_agencies = true
where roles && array['Admin', 'Employee', 'Finance', 'Content', 'Auditor'];

-- Those who see all agencies, for the list of users.
create index users_all_agencies on users (id) where all_agencies;
