-- The agencies whose services an import or a bulk change may change; null for the whole catalogue.
alter table catalogue_jobs
  add column agency_ids int[];
