-- The ways in which people are told of their requests. Source: specification §7 CommunicationType; which there are is not shown, so they are data.
create table communication_types (
  id integer primary key,
  key text not null unique,
  name jsonb not null,
  channels text[] not null check (cardinality(channels) > 0 and channels <@ array['email', 'sms'])
);
insert into communication_types (id, key, name, channels) values
  (1, 'email', '{"ar-EG": "البريد الإلكتروني", "en-US": "E-mail", "ur-PK": "ای میل"}', '{email}'),
  (2, 'sms', '{"ar-EG": "رسائل نصية قصيرة", "en-US": "Text messages (SMS)", "ur-PK": "ایس ایم ایس"}', '{sms}'),
  (3, 'emailAndSms', '{"ar-EG": "البريد الإلكتروني والرسائل النصية", "en-US": "E-mail and text messages", "ur-PK": "ای میل اور ایس ایم ایس"}', '{email,sms}');

-- Null: in every way that is proved.
alter table users add column communication_type_id integer references communication_types;
-- The language in which the request was sent; what the person chose for the account wins.
alter table requests add column language text;
-- Whether the person was told of this step. Null: it is none that is told.
alter table request_history add column notice text check (notice in ('sent', 'switchedOff', 'unreachable'));

-- Mail and SMS: written in the transaction of what they tell of, handed over after it, kept for MESSAGE_DAYS. The id is the key by which a gateway knows a message again.
create table messages (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  language text not null,
  subject text not null default '',
  body text not null,
  user_id uuid references users,
  request_id bigint references requests,
  history_id bigint references request_history,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'givenUp')),
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  -- Who holds it now, and until when; the lease of a process that died runs out.
  lease uuid,
  leased_until timestamptz,
  fault text,
  fault_detail text not null default '',
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index messages_due on messages (channel, due_at) where state = 'waiting';
create index messages_open on messages (created_at desc, id) where state in ('waiting', 'failed');
create index messages_state on messages (state, created_at desc, id);
create index messages_request on messages (request_id, created_at) where request_id is not null;
create index messages_history on messages (history_id) where history_id is not null;
create index messages_ended on messages (ended_at) where state <> 'waiting';

insert into messages (kind, channel, recipient, language, subject, body, tries, due_at, created_at)
  select 'partner', 'email', recipient, language, subject, body, tries, due_at, created_at from mail_outbox;
drop table mail_outbox;

-- The stand-ins of the gateways know a message again, and can be told to fail for an address.
alter table sandbox.messages add column key text unique;
create table sandbox.message_faults (recipient text primary key, kind text not null check (kind in ('refuse', 'fail', 'slow')));
