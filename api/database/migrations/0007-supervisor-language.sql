-- The language that a supervisor has chosen; a new browser begins with it.
alter table users add column language text check (language in ('ar-EG', 'en-US', 'ur-PK'));
