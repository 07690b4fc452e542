alter table referral_codes add column version integer not null default 1;
