// React in development describes every element and every update to the browser's profiler, which
// takes a twelfth of the processor time of these tests. React reads the two functions when it is
// loaded, so this module is imported first.
delete (console as { createTask?: unknown }).createTask;
delete (console as { timeStamp?: unknown }).timeStamp;
