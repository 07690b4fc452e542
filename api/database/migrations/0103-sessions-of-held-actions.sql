-- Ending a session as a measure of protection stops what was done in it and has not taken effect.
-- Actions that wait during the upgrade have no session; they end with all sessions of their user.
alter table held_actions add column session_id uuid references sessions (id) on delete set null;
