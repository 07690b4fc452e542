-- Requests refer to their service, provider, workflow and form by foreign keys again (decision 0104).
-- A request that names a missing row stops the migration, which changes nothing then.
do $$
declare
  found record;
  problems text[] = '{}';
begin
  for found in
    select missing.kind, missing.key, count(*) as requests, min(requests.number) as example
    from requests
    left join services on services.id = requests.service_id
    left join partners on partners.id = requests.partner_id
    left join workflows on workflows.id = requests.workflow_id
    left join forms on forms.id = requests.form_id
    cross join lateral (
      values
        ('service', requests.service_id, services.id),
        ('service provider', requests.partner_id, partners.id),
        ('workflow', requests.workflow_id, workflows.id),
        ('form', requests.form_id, forms.id)
    ) as missing (kind, key, id)
    where services.id is null
      or workflows.id is null
      or forms.id is null
      or (requests.partner_id is not null and partners.id is null)
    group by missing.kind, missing.key, missing.id
    having missing.key is not null and missing.id is null
    order by missing.kind, missing.key
  loop
    problems = problems || format(
      '%s %s is missing, and %s requests name it, such as %s',
      found.kind,
      found.key,
      found.requests,
      found.example
    );
  end loop;
  if problems <> '{}' then
    raise exception using
      errcode = 'foreign_key_violation',
      message = 'requests refer to rows that are missing: ' || array_to_string(problems, '; '),
      hint = 'Nothing was changed. Restore these rows from a backup with their ids, '
        'then start this version again.';
  end if;
end $$;

alter table requests
  add foreign key (service_id) references services,
  add foreign key (partner_id) references partners,
  add foreign key (workflow_id) references workflows,
  add foreign key (form_id) references forms;

-- The foreign keys refuse what these triggers refused.
drop trigger services_never_deleted on services;
drop trigger services_keep_id on services;
drop trigger services_never_emptied on services;
drop trigger partners_never_deleted on partners;
drop trigger partners_never_emptied on partners;
drop trigger workflows_never_deleted on workflows;
drop trigger workflows_never_emptied on workflows;
drop function refuse_deletion;
