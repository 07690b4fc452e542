import { z } from 'zod';

/** The largest id of a record and the largest version: that of a column of PostgreSQL's `integer`. */
export const maximumId = 2_147_483_647;
/**
 * The largest id of a request, a refund or a notification, whose columns are `bigint`: JSON holds it
 * without loss.
 */
export const maximumLongId = 1_000_000_000_000_000;

/** The id of a record that an admin sets up: a service, an agency, a reason. */
export const recordId = z.int().min(1).max(maximumId);
/** The same in an address, which holds texts. */
export const recordIdInAddress = z.coerce.number().int().min(1).max(maximumId);

/** The id of a request, a refund or a notification. */
export const longId = z.int().min(1).max(maximumLongId);
/** The same in an address, which holds texts. */
export const longIdInAddress = z.coerce.number().int().min(1).max(maximumLongId);

/** Several of these in an address, separated by commas. */
export const longIdsInAddress = (most: number) =>
  z.string().regex(new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${most - 1}}$`));

/** The version of a record that the caller saw; each change adds 1. */
export const recordVersion = z.int().min(1).max(maximumId);
/** The same in an address, which holds texts. */
export const recordVersionInAddress = z.coerce.number().int().min(1).max(maximumId);
/** A version that the caller saw, or 0 for a record that does not exist yet. */
export const versionOrNew = z.int().min(0).max(maximumId);

/** The announced size of a file in bytes. A rule of the service or of the call sets a smaller limit. */
export const announcedBytes = z.int().min(0).max(maximumLongId);
