-- What a message about a request tells that is no step of its history, such as that money was given back. Which there are: contract/src/messages.ts.
alter table messages add column news text;
create index messages_news on messages (request_id, news) where state = 'waiting' and news is not null;
