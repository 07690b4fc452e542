-- Payments that were closed without money are asked about for two hours more: the provider's page may still be open in some tab.
create index payments_closed on payments (created_at) where status in ('declined', 'cancelled');

-- What is never changed or deleted is not emptied either.
create trigger request_history_never_emptied before truncate on request_history for each statement execute function refuse_change();
create trigger payment_events_never_emptied before truncate on payment_events for each statement execute function refuse_change();
create trigger request_reads_never_emptied before truncate on request_reads for each statement execute function refuse_change();
create trigger workflow_choices_never_emptied before truncate on workflow_choices for each statement execute function refuse_change();
