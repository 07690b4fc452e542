-- The versions of the pages of legal text as people read them, in three languages and with the facts of this deployment filled in.
-- A version is never changed: requests name the one that they were sent under. The newest of a page is the one in force. Decision 0147.
create table legal_page_versions (
  id integer generated always as identity primary key,
  page text not null,
  sections jsonb not null,
  hash text not null,
  published_at timestamptz not null default now()
);
create index legal_page_versions_page on legal_page_versions (page, id desc);
create trigger legal_page_versions_append_only before update or delete or truncate on legal_page_versions for each statement execute function refuse_change();
