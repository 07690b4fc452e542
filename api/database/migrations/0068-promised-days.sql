-- The time limit of a status can end before the working days that the applicant was promised. The due day of the
-- staff is the earlier of the two; applicants still read the promised one. Null and set together with the due day.
alter table requests add column promised_on date;

update requests
set promised_on = due_on
where due_on is not null;
