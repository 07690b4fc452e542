-- The audit log is one list of changes, events of accounts, exports, acts of staff and reads. Each
-- part is read by person, by thing and by time, the newest first.
drop index changes_actor;
create index changes_actor on changes (actor_id, at desc, id desc);
create index changes_entity_at on changes (entity, at desc, id desc);
create index changes_money on changes (name, at desc, id desc)
  where entity in ('refund', 'paymentCase', 'settlementDifference');

drop index audit_events_user;
create index audit_events_user on audit_events (user_id, at desc, id desc);
drop index audit_events_kind;
create index audit_events_kind on audit_events (kind, at desc, id desc);

create index request_reads_at on request_reads (at desc, id desc);
create index request_reads_reader on request_reads (reader_id, at desc, id desc);

create index request_history_staff_at on request_history (at desc, id desc)
  where actor_kind in ('employee', 'serviceProvider') or acted_for ->> 'by' = 'counter';
create index request_history_staff on request_history (actor_id, at desc, id desc)
  where actor_kind in ('employee', 'serviceProvider') or acted_for ->> 'by' = 'counter';
