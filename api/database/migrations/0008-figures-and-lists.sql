-- Figures ask what was completed and what was paid within a time.
create index request_history_status_at on request_history (to_status_id, at);
create index request_history_paid on request_history (request_id, at) where action = 'pay';
create index payment_events_paid_at on payment_events (occurred_at) where kind = 'paid';
-- Lists of people ask who signed in last, and who belongs where.
create index if not exists sessions_user on sessions (user_id, created_at desc);
create index users_company on users (company_id) where company_id is not null;
create index users_partner on users (partner_id) where partner_id is not null;
create index attachments_created on attachments (created_at desc, id desc);

-- A text as lists for staff compare it; the words of `normalizeText` are looked for in it, so the same letters count as one (a test holds the two together).
create function fold_text(value text) returns text language sql immutable strict parallel safe as $$
  select translate(
    regexp_replace(lower(normalize(value, NFKD)), '[\u0300-\u036f\u064b-\u065f\u0670\u0640\u0621\u0674''’‘ʼ`´\u200b-\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'),
    'ٱٲٳىیېےۍێةۃہھەکڪں٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'اااييييييهههههككن01234567890123456789')
$$;
create index users_search on users using gin (fold_text(username || ' ' || full_name || ' ' || email || ' ' || phone_number) gin_trgm_ops);
create index attachments_search on attachments using gin (fold_text(file_name) gin_trgm_ops);
