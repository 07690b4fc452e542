-- Lists of payments offer each provider that has a payment, also one that is no longer set up.
create index payments_provider on payments (provider);
