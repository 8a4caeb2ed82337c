/** ExportEntries on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';
import { readFilter } from '../trail/list-entries.grpc.ts';
import type { ExportEntries } from './export-entries.ts';

export const exportEntriesHandler = (exportEntries: ExportEntries): Handlers<AuditServiceService>['exportEntries'] =>
  async function* (request, { principal }) {
    const filter = request.filter ? readFilter(request.filter) : {};
    for await (const text of exportEntries(principal, { format: request.format, filter, older: request.older }))
      yield { text };
  };
