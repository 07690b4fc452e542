-- The status page. A row is a time in which a part of the portal did not work as usual. Every process
-- reports what it sees; `seen_at` is when one of them last saw it. A part has one open row.
create table incidents (
  id integer generated always as identity primary key,
  part text not null
    check (part in ('portal', 'requests', 'documents', 'payments', 'messages', 'uaePass')),
  state text not null check (state in ('limited', 'down')),
  began_at timestamptz not null,
  seen_at timestamptz not null check (seen_at >= began_at),
  ended_at timestamptz check (ended_at >= began_at)
);
create unique index incidents_open on incidents (part) where ended_at is null;
create index incidents_seen on incidents (seen_at desc);
