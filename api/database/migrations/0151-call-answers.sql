-- Decision 0161. The first answers of calls with a key, so that a caller that lost one may repeat the
-- call. `user_id` is zero where nobody is signed in. It refers to no user: a reference would lock the row of
-- the user in every call, and the rows leave after a day.
create table call_answers (
  user_id uuid not null,
  key uuid not null,
  call text not null,
  input_hash text not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

create index call_answers_created_at on call_answers using brin (created_at);
