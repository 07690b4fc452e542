/**
 * Whether an action failed because another user changed the request first. The error reply says
 * who and when.
 */
export function isConflict({ name }: { name: string }): boolean {
  return ['VersionHasChanged', 'ActionHeld', 'ActionNotAllowed'].includes(name);
}
