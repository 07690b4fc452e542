-- The VAT return lists supplies by the emirate of the agency.
alter table agencies
  add column emirate text
    check (
      emirate in (
        'abuDhabi', 'dubai', 'sharjah', 'ajman', 'ummAlQuwain', 'rasAlKhaimah', 'fujairah'
      )
    );

-- The documents of a VAT period.
create index invoices_supplied on invoices ((content -> 'transfer' ->> 'day'), id)
  where kind <> 'receipt';
