-- What a reason to return or reject is about, so that somebody who marks an answer is not offered
-- reasons about documents. Null: about anything.
alter table rejection_reasons
add column about text,
add constraint rejection_reasons_about_check check (
  about is null
  or (about in ('answer', 'document', 'request') and kind = 'correction')
);

-- The usual reasons, where they are as the portal offers them.
update rejection_reasons
set about = case
  when name ->> 'en-US' = 'Some details are missing or wrong' then 'answer'
  when name ->> 'en-US' like '%document%' and name ->> 'en-US' not like '%details%' then 'document'
  else 'request'
end
where kind = 'correction'
  and agency_id is null
  and name ->> 'en-US' in (
    'A required document is missing',
    'A document is unclear or cannot be read',
    'A document has expired',
    'Some details are missing or wrong',
    'The conditions of the service are not met',
    'There is already a request for the same purpose',
    'Fines or other dues have not been settled'
  );
