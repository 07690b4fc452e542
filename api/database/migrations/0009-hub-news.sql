-- What the hubs are to tell: written in the transaction of the business it speaks of, gone once told. Decision 0009.
create table hub_news (
  id bigint generated always as identity primary key,
  hub text not null,
  event text not null,
  audiences text[] not null
);

-- The number of the last news that an audience of a hub was told.
create table hub_positions (
  hub text not null,
  audience text not null,
  position bigint not null,
  primary key (hub, audience)
);
