-- Columns named as the rest of the product names corrections.
alter table request_history rename column mended to correction;
alter table drafts rename column mends_request_id to corrects_request_id;
alter index drafts_mends rename to drafts_corrects;
