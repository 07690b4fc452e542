-- When a publication that a second person confirmed was asked for and confirmed. A version is published
-- immediately or at a time that is set, so that `published_at` says neither. Unknown for earlier ones.
alter table service_drafts
  add column publish_asked_at timestamptz,
  add column publish_confirmed_at timestamptz;
alter table service_versions
  add column asked_at timestamptz,
  add column confirmed_at timestamptz;
