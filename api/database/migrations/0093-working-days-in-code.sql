-- Working days are counted by working-days.ts only.
drop function due_day;
