/** The topics of the hubs: what concerns a request, a person, a company or a service provider. */
export const requestTopic = (requestId: number): string => `request:${requestId}`;
export const userTopic = (userId: string): string => `user:${userId}`;
export const companyTopic = (companyId: number): string => `company:${companyId}`;
/** Everybody who sees the lists of the staff of all agencies, and of one. */
export const staffTopic = 'staff';
export const agencyTopic = (agencyId: number): string => `agency:${agencyId}`;
/** Those who see of an agency the work of teams, for a service of theirs. */
export const workTopic = (agencyId: number, serviceId: number): string =>
  `work:${agencyId}:${serviceId}`;
export const partnerTopic = (partnerId: number): string => `partner:${partnerId}`;
