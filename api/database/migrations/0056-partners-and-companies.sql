-- An open request that goes to another service provider takes its figures along: those of its sending and of its payments. An open request has no end.
create function figure_changed_partner() returns trigger language plpgsql as $$
declare
  side record;
  paid record;
begin
  for side in
    select array[partner] as scopes, sign
    from (values (old.partner_id, -1), (new.partner_id, 1)) as sides (partner, sign)
    where partner is not null
  loop
    perform enter_figure(
      side.scopes, day_in_dubai(new.created_at), 'created', new.service_id, null, null, side.sign
    );
    for paid in
      select payments.amount, min(payment_events.occurred_at) as at
      from payments
      join payment_events
        on payment_events.payment_id = payments.id and payment_events.kind = 'paid'
      where payments.request_id = new.id and payments.status = 'paid'
      group by payments.id
    loop
      perform enter_figure(
        side.scopes, day_in_dubai(paid.at), 'paid', new.service_id, null, null,
        side.sign * paid.amount
      );
    end loop;
  end loop;
  return null;
end $$;
create trigger requests_figure_partner after update of partner_id on requests
  for each row when (old.partner_id is distinct from new.partner_id and old.came_to_provider)
  execute function figure_changed_partner();

-- A company that is suspended: its users cannot sign in. A save names the version that it read.
alter table companies
  add column version integer not null default 1,
  add column suspended_at timestamptz,
  add column suspension_reason text,
  add column created_at timestamptz not null default now();
create index companies_by_arabic_name on companies (fold_text(name ->> 'ar-EG'), id);
create index companies_by_english_name on companies (fold_text(name ->> 'en-US'), id);
create index companies_by_urdu_name on companies (fold_text(name ->> 'ur-PK'), id);
create index companies_newest on companies (created_at desc, id desc);
create index companies_search on companies using gin (
  fold_text(
    (name ->> 'ar-EG') || ' ' || (name ->> 'en-US') || ' ' || (name ->> 'ur-PK') || ' '
      || coalesce(licence_number, '')
  ) gin_trgm_ops
);
create index companies_suspended on companies (id) where suspended_at is not null;
