-- Who charged the fine that the applicant may still object to, or objects to: another person decides
-- about it. Null where the latest decision is a rejection, and once the days have ended.
alter table requests add column fined_by uuid references users (id);
