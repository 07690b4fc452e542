-- Who last approved, accepted or completed a step: a workflow can leave what follows to somebody else.
-- Earlier requests follow documents that do not ask for it.
alter table requests add column approver_id uuid references users (id);
