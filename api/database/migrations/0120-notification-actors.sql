-- Who acted, so that their name is shown in the script of the reader's language. The name of the time
-- stays: the notifications of before have no account.
alter table notifications
  add column actor_id uuid,
  add constraint notifications_actor_id_fkey foreign key (actor_id) references users (id);
