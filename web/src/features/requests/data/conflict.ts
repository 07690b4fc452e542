/**
 * Whether an action failed because the request changed first: by another user, of whom the error reply
 * says who and when, or at the end of its last day.
 */
export function isConflict({ name }: { name: string }): boolean {
  return ['VersionHasChanged', 'ActionHeld', 'ActionNotAllowed', 'ObjectionTooLate'].includes(name);
}
