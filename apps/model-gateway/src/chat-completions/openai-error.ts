/** Shapes a fault as the error object every OpenAI-compatible client reads; a fault that is not public keeps its text in the log. */
import type { Fault } from '@bravo/faults';

/** `traceId`: of the work in hand, so that whoever quotes the error quotes what spans and logs are found by. */
export const toOpenAiError = (fault: Fault, reference: string, traceId?: string): { error: object } => ({
  error: {
    message: fault.row.public ? fault.detail : `${fault.row.title} (reference ${fault.reference ?? reference}).`,
    type: typeOf(fault.row.http),
    code: fault.code,
    param: null,
    ...(fault.meta['resets_at'] === undefined ? {} : { resets_at: fault.meta['resets_at'] }),
    reference: fault.reference ?? reference,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  },
});

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
