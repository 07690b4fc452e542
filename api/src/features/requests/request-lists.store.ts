import type { LocalizedText } from '@diwan/contract/languages';
import type { Database } from '../../platform/database.ts';
import type { KeptActedFor } from '../../platform/database-types.ts';
import type { Involved } from './workflow.ts';
import type { Visible } from './visibility.store.ts';

/** Which requests a list asks for; `words` are normalised and all must be found. */
export interface ListFilter {
  visible: Visible;
  statusIds?: readonly number[] | undefined;
  holderId?: string;
  from?: Date | undefined;
  before?: Date | undefined;
  words?: readonly string[];
  number?: string;
  phoneNumber?: string;
}

export interface Page {
  pageNumber: number;
  take: number;
  order: 'asc' | 'desc';
}

export interface SummaryRow extends Involved {
  id: number;
  number: string;
  service_id: number;
  workflow_id: number;
  status_id: number;
  version: number;
  total: number;
  applicant_name: string;
  holder_name: string | null;
  sent_by: string | null;
  acted_for: KeptActedFor | null;
  created_at: Date;
  updated_at: Date;
  service_name: LocalizedText;
  agency_id: number;
  agency_name: LocalizedText;
  agency_logo: string;
}

const likeText = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

function filtered(database: Database, filter: ListFilter) {
  let query = database.selectFrom('requests').where(filter.visible);
  if (filter.statusIds) query = query.where('requests.status_id', 'in', filter.statusIds);
  if (filter.holderId !== undefined) query = query.where('requests.holder_id', '=', filter.holderId);
  if (filter.from) query = query.where('requests.created_at', '>=', filter.from);
  if (filter.before) query = query.where('requests.created_at', '<', filter.before);
  if (filter.number !== undefined) query = query.where('requests.number', '=', filter.number);
  if (filter.phoneNumber !== undefined) query = query.where('requests.phone_number', '=', filter.phoneNumber);
  for (const word of filter.words ?? []) query = query.where('requests.search_text', 'like', likeText(word));
  return query;
}

/** One page; equal times are told apart by id, so that no request is on two pages. */
export function selectSummaries(database: Database, filter: ListFilter, page: Page): Promise<SummaryRow[]> {
  return filtered(database, filter)
    .innerJoin('services', 'services.id', 'requests.service_id').innerJoin('agencies', 'agencies.id', 'services.agency_id').leftJoin('users as holder', 'holder.id', 'requests.holder_id')
    .select(['requests.id', 'requests.number', 'requests.service_id', 'requests.workflow_id', 'requests.status_id', 'requests.version', 'requests.total', 'requests.applicant_name', 'requests.sent_by', 'requests.acted_for'])
    .select(['requests.user_id', 'requests.company_id', 'requests.partner_id', 'requests.holder_id', 'holder.full_name as holder_name'])
    .select(['requests.created_at', 'requests.updated_at', 'services.name as service_name', 'agencies.id as agency_id', 'agencies.name as agency_name', 'agencies.logo as agency_logo'])
    .orderBy('requests.created_at', page.order).orderBy('requests.id', page.order)
    .limit(page.take).offset((page.pageNumber - 1) * page.take).execute();
}

export async function countRequests(database: Database, filter: ListFilter): Promise<number> {
  return (await filtered(database, filter).select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
}
