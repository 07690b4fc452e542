import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { withoutTimeLimits } from '#platform/database/database.ts';
import { inSnapshot } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/transfer';
import { prepareBulk } from './bulk.actions.ts';
import { exportCatalogueFile, writeJsonFile, writeWorkbook } from './export.actions.ts';
import { writeCsvFile } from './files/csv-file.ts';
import { describeJob, prepareImport, runJob, stopJob, type JobContext } from './jobs.actions.ts';

const mediaTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

async function readBody(body: Readable): Promise<Buffer> {
  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > contract.maximumCatalogueBytes) body.destroy(new Refusal('CatalogueFileTooLarge'));
  });
  return buffer(body);
}

/** Export and import of the catalogue, and the jobs that carry out imports and bulk changes. */
export function serveTransfer(
  context: AppContext,
  {
    catalogue,
    keepVersions,
    countedFees,
  }: Pick<JobContext, 'catalogue' | 'keepVersions' | 'countedFees'>,
): void {
  const { database, server } = context;
  const jobs: JobContext = {
    database,
    catalogue,
    keepVersions,
    countedFees,
    feeApprovalAbove: context.config.FEE_APPROVAL_ABOVE,
    report: (error) => server.log.error({ err: error }, 'a job of the catalogue failed'),
  };

  serve(
    context,
    contract.exportCatalogue,
    async ({ caller, query: { Format, List }, reply, language }) => {
      const file = await inSnapshot(withoutTimeLimits(database), (transaction) =>
        exportCatalogueFile(transaction, administeredAgencies(caller)),
      );
      const name = Format === 'csv' ? `catalogue-${List}` : 'catalogue';
      reply
        .type(mediaTypes[Format])
        .header('content-disposition', `attachment; filename="${name}.${Format}"`);
      if (Format === 'json') return reply.send(Readable.from(writeJsonFile(file)));
      if (Format === 'csv') return reply.send(writeCsvFile(file, List, language));
      return reply.send(await writeWorkbook(file, language));
    },
    { waitsElsewhere: true },
  );

  serve(
    context,
    contract.prepareCatalogueImport,
    async ({ caller, query, request, reply, language }) => {
      try {
        const id = await prepareImport(jobs, caller, await readBody(request.body as Readable), {
          format: query.Format,
          retiresMissing: query.RetireMissing === 'true',
        });
        return await describeJob(database, id, language);
      } catch (error) {
        // The rest of the file is not needed: send the reply, then close the connection.
        reply.header('connection', 'close');
        reply.raw.once('finish', () => request.raw.destroy());
        throw error;
      }
    },
    { waitsElsewhere: true },
  );

  serve(context, contract.prepareBulkChange, async ({ caller, body, language }) => {
    const id = await prepareBulk(jobs, caller, body);
    return describeJob(database, id, language);
  });

  serve(context, contract.runCatalogueJob, async ({ caller, body, request, language }) => {
    await runJob(jobs, { caller, address: request.ip }, body);
    return describeJob(database, body.jobId, language);
  });

  serve(context, contract.getCatalogueJob, async ({ query, language }) => {
    const job = await describeJob(database, query.jobId, language);
    // Who reads that it is done reads the new catalogue next.
    if (job.state === 'done') await catalogue.refresh();
    return job;
  });

  serve(context, contract.cancelCatalogueJob, async ({ body, language }) => {
    await stopJob(database, body.jobId);
    return describeJob(database, body.jobId, language);
  });
}
