-- An administrator of agencies has some of them: who manages all has a role that concerns the whole portal.
update users
set all_agencies = false
where 'AgencyAdmin' = any(roles)
  and not roles && array['Admin', 'Finance', 'Content', 'Auditor'];

update users
set roles = array_remove(roles, 'AgencyAdmin')
where 'AgencyAdmin' = any(roles)
  and all_agencies;

alter table users
  add constraint users_agency_administrator
  check (not (all_agencies and 'AgencyAdmin' = any(roles)));

-- An invitation promises nothing that an account cannot have.
update staff_invitations
set roles = array_remove(roles, 'AgencyAdmin')
where 'AgencyAdmin' = any(roles)
  and all_agencies;

alter table staff_invitations
  add constraint staff_invitations_agency_administrator
  check (not (all_agencies and 'AgencyAdmin' = any(roles)));
