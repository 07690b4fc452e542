import { localize } from '#platform/core/localize.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { readFormAnswers } from '@diwan/contract/forms/check-answers';
import { findFines } from '@diwan/contract/requests/request-costs';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Catalogue } from '../services/services.actions.ts';
import {
  findDueFines,
  settlePaidFines,
  type FinesContext,
  type SettlingContext,
} from './fines.actions.ts';

/** What looking up fines needs, opened once at the start. */
export const openFines = ({ database, integrations, server }: AppContext): FinesContext => ({
  database,
  register: integrations.finesRegister,
  warn: (message) => server.log.warn(message),
});

/** Fines that registers of the agencies name. Decision 0145. */
export function registerFines(
  context: AppContext,
  fines: SettlingContext & { catalogue: Catalogue },
): Feature {
  const { catalogue } = fines;
  serve(
    context,
    findFines,
    async ({ body, language }) => {
      const { form } = await catalogue.getDetails(body.serviceId);
      const { agency } = catalogue.getService(body.serviceId);
      const field = form.steps
        .flatMap((step) => step.fields)
        .find(({ name, kind }) => kind === 'fines' && name === body.field);
      if (!field) throw new ValidationRefusal([{ field: 'field', code: 'notAllowed' }]);
      const answers = readFormAnswers(form, body.answers, dayInDubai(new Date()));
      const due = await findDueFines(fines, field, agency, answers);
      if (!due) {
        const names = new Set(field.findBy?.map((name) => `answers.${name}`));
        throw new ValidationRefusal(
          answers.check().issues.filter((issue) => names.has(issue.field)),
        );
      }
      return { fines: due.map((fine) => ({ ...fine, place: localize(fine.place, language) })) };
    },
    // Anybody may ask what a plate owes, but not for many plates.
    { perMinute: context.config.INQUIRIES_PER_MINUTE, perPerson: true },
  );
  return { jobs: [{ everySeconds: 2, run: () => settlePaidFines(fines) }] };
}
