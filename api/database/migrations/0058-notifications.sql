-- What a member of the staff or of a service provider should know of, by user. The oldest are deleted: 200 a user are kept.
create table notifications (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  kind text not null,
  request_id bigint not null references requests,
  actor_name text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- Only sent by mail.
  is_hidden boolean not null,
  -- Null when it is sent, or not to be sent by mail.
  mail_due_at timestamptz
);
create index notifications_user on notifications (user_id, id desc) where not is_hidden;
create index notifications_unread on notifications (user_id) where read_at is null and not is_hidden;
create index notifications_mail on notifications (id) where mail_due_at is not null;

-- How a user wants to hear of a kind, where it is not the default.
create table notification_settings (
  user_id uuid not null references users,
  kind text not null,
  in_portal boolean not null,
  by_mail boolean not null,
  primary key (user_id, kind)
);
