-- The statuses that end a request are stored with the workflow, by the code that stores it.
drop trigger workflows_ends on workflows;
drop function enter_workflow_ends;
