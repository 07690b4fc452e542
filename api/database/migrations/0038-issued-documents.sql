-- Whether a service ends with a document for the applicant: then a request is completed with one.
alter table services add column issues_document boolean not null default false;
