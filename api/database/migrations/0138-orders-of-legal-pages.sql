-- The sections of a page of legal text in the order that an administrator chose, and those that they removed: keys of legal.json. A page without a row has the shipped order.
create table legal_page_orders (
  page text primary key,
  shown jsonb not null,
  removed jsonb not null,
  version integer not null,
  changed_at timestamptz not null default now()
);
