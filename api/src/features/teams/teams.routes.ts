import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/staff/teams';
import * as actions from './teams.actions.ts';

/** The teams of agencies. Decision 0153. */
export function serveTeams(context: AppContext): void {
  const { database } = context;

  serve(context, contract.getTeams, ({ query, language }) =>
    actions.listTeams(database, query.AgencyId, language),
  );

  serve(context, contract.saveTeam, ({ caller, request, body }) =>
    actions.save(database, { caller, address: request.ip }, body),
  );

  serve(context, contract.deleteTeam, ({ caller, request, body }) =>
    actions.remove(database, { caller, address: request.ip }, body),
  );

  serve(context, contract.changeTeamReach, ({ caller, request, body }) =>
    actions.changeReach(database, { caller, address: request.ip }, body),
  );
}
