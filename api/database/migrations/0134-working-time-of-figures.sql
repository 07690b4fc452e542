-- Figures count working hours instead of all hours: completed requests are folded anew by the job.
insert into figure_changes (request_id)
select distinct request_id
from request_facts
where seconds is not null
order by request_id;
