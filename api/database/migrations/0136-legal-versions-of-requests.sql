-- The versions of the terms and of the privacy policy that were in force when a request was sent. Null: it was sent before versions were kept.
alter table requests
  add column terms_version_id integer references legal_page_versions (id),
  add column privacy_version_id integer references legal_page_versions (id);
