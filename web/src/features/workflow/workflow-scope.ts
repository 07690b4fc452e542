/**
 * What a choice is about: a service, or all that have no workflow of their own. `replaces` is what
 * was in force when the page was opened.
 */
export interface Scope {
  serviceId?: number;
  serviceName?: string;
  replaces: number;
}
