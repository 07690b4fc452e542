-- Who got the daily summary of which day (Asia/Dubai), or needed none. Deleted after a month.
create table staff_digests (
  user_id uuid not null references users,
  day date not null,
  primary key (user_id, day)
);
create index staff_digests_day on staff_digests (day);
