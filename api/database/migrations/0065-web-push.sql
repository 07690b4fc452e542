-- Browsers that show the messages of a user while the portal is closed. They belong to the session that the user had there last, and go
-- when that session is ended by somebody.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  session_id uuid not null,
  endpoint text not null unique,
  -- P-256 and secret of the browser in base64url: RFC 8291.
  public_key text not null,
  secret text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id, seen_at desc);

-- The recipient of a message to a browser is the id of its subscription; the link is a path of the portal.
alter table messages
  drop constraint messages_channel_check,
  add constraint messages_channel_check check (channel in ('email', 'sms', 'push')),
  add column link text;

-- Notifications leave by mail, SMS and to browsers.
alter table notifications rename column mail_due_at to due_at;
alter index notifications_mail rename to notifications_due;
alter table notification_settings
  add column by_sms boolean not null default false,
  add column by_push boolean not null default true;
