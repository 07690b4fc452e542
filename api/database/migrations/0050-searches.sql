-- What people search, counted by day. Nothing refers to a person, and texts that look like personal data are not stored.
create table search_terms (
  day date not null,
  language text not null,
  text text not null,
  searches integer not null default 0,
  results integer not null,
  primary key (day, language, text)
);
create table search_openings (
  day date not null,
  language text not null,
  text text not null,
  service_id integer not null references services,
  openings integer not null,
  primary key (day, language, text, service_id)
);
-- Test searches of administrators: the service is a right first answer.
create table search_questions (
  id integer generated always as identity primary key,
  language text not null,
  text text not null,
  service_id integer not null references services,
  unique (language, text, service_id)
);
