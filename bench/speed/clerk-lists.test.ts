import { expect, it } from 'vitest';
import { getRequestsByStatusId, getAllStatuses } from '@diwan/contract/requests/request-lists';
import { dayAfter, endOfDay, startOfDay, todayInDubai } from '@diwan/contract/wire/days';
import { sql } from '../../api/src/platform/database/sql.ts';
import {
  freeService,
  openRequestStage,
  paidService,
} from '../../api/src/testing/requests/request-stage.ts';
import { useTestApp } from '../../api/src/testing/test-app.ts';
import { bodyOf, compareLists } from './cases.ts';
import { readNames, storePlaces } from './clerk-lists.ts';
import { clerkList, columns, wordsOf, type Question } from './clerk-sql.ts';

const app = useTestApp();
const stage = openRequestStage(app);

it('the statements answer as the product does, for each order, keyword and scope', async () => {
  for (const [username, service] of [
    ['individual', freeService],
    ['individual2', paidService],
    ['individual', paidService],
  ] as const)
    await stage.sendAndReceive(username, service);
  const waiting = await stage.send('individual', freeService);
  await sql`create schema if not exists bench`.execute(app.database);
  await storePlaces(app.database);
  const findWord = await readNames(app.database);
  const { body: statuses } = await app.callAs('employee', getAllStatuses, {
    language: 'ar-EG',
  });
  const names = JSON.stringify(Object.fromEntries(statuses.map((each) => [each.statusId, each])));
  const order = statuses.map(({ statusId }) => statusId);
  const { applicant_name: name, phone_number: phone } = await app.database
    .selectFrom('requests')
    .select(['applicant_name', 'phone_number'])
    .where('id', '=', waiting.requestId)
    .executeTakeFirstOrThrow();
  const [from, to] = [dayAfter(todayInDubai(), -29), todayInDubai()];
  const keywords = [undefined, name, waiting.requestNumber.slice(-3), waiting.requestNumber, phone];
  let found = 0;
  for (const username of ['employee', 'employee-rta']) {
    const ofAgencies = await app.database
      .selectFrom('staff_agencies')
      .select('agency_id')
      .where('user_id', '=', await app.idOf(username))
      .execute();
    const agencies = ofAgencies.map((each) => each.agency_id);
    for (const sortBy of ['sent', 'due', ...columns] as const)
      for (const text of keywords) {
        const question: Question = {
          clerkId: await app.idOf(username),
          ...(agencies.length > 0 ? { agencies } : {}),
          statusIds: order,
          from: startOfDay(from),
          before: endOfDay(to),
          sortBy,
          order: 'asc',
          pageNumber: 1,
          take: 10,
        };
        if (text === waiting.requestNumber) question.keyword = { kind: 'number', value: text };
        else if (text === phone) question.keyword = { kind: 'mobile', value: text };
        else if (text) question.keyword = { kind: 'words', words: wordsOf(text).map(findWord) };
        const { body } = await app.callAs(username, getRequestsByStatusId, {
          language: 'ar-EG',
          query: {
            Take: 10,
            StatusIds: order.join(','),
            DateFrom: from,
            DateTo: to,
            SortBy: sortBy,
            sortOrder: 'asc',
            ...(text ? { SearchKeyword: text } : {}),
          },
        });
        const statement = clerkList(question, names, order);
        const other = await bodyOf(app.database, statement);
        compareLists(`${username} ${sortBy} ${text}`, JSON.stringify(body), other);
        found += body.items.length;
      }
  }
  expect(found).toBeGreaterThan(50);
});
