/** The closed list of everything that can go wrong at an edge of Bravo; a code that is not here cannot be thrown. */

export interface FaultRow {
  /** Canonical gRPC status name. */
  readonly grpc: GrpcStatusName;
  /** HTTP status of the problem document. */
  readonly http: number;
  /** Short human summary, the same for every occurrence of the code. */
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** Whether `detail` may be shown to the caller. When false only the title and a reference travel. */
  readonly public: boolean;
}

export type GrpcStatusName =
  | 'CANCELLED'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED';

const row = (grpc: GrpcStatusName, http: number, title: string, more: Partial<FaultRow> = {}): FaultRow => ({
  grpc,
  http,
  title,
  retryable: more.retryable ?? false,
  public: more.public ?? true,
});

export const FAULTS = {
  invalid_argument: row('INVALID_ARGUMENT', 400, 'The request is not valid'),
  unauthenticated: row('UNAUTHENTICATED', 401, 'Sign-in is needed'),
  csrf_failed: row('PERMISSION_DENIED', 403, 'The request did not come from the page'),
  permission_denied: row('PERMISSION_DENIED', 403, 'Not allowed'),
  feature_off: row('PERMISSION_DENIED', 403, 'The feature is off for this workspace'),
  agent_disabled: row('PERMISSION_DENIED', 403, '@bravo is switched off in this workspace'),
  token_unbound: row('PERMISSION_DENIED', 403, 'The agent token is bound to no conversation yet'),
  production_refused: row('FAILED_PRECONDITION', 403, 'Not available in production'),
  not_found: row('NOT_FOUND', 404, 'Not found'),
  method_not_allowed: row('UNIMPLEMENTED', 405, 'The method is not offered here'),
  not_acceptable: row('INVALID_ARGUMENT', 406, 'None of the accepted media types can be produced'),
  conflict: row('ABORTED', 409, 'The request conflicts with the present state'),
  already_decided: row('FAILED_PRECONDITION', 409, 'The question was answered before'),
  approval_expired: row('FAILED_PRECONDITION', 409, 'The question has expired'),
  approval_superseded: row('FAILED_PRECONDITION', 409, 'The question was replaced by a newer one'),
  conversation_ended: row('FAILED_PRECONDITION', 409, 'The conversation has ended'),
  version_conflict: row('ABORTED', 412, 'It was changed in the meantime'),
  payload_too_large: row('INVALID_ARGUMENT', 413, 'The request is too large'),
  unsupported_media_type: row('INVALID_ARGUMENT', 415, 'The media type is not supported'),
  too_many_conversations: row('RESOURCE_EXHAUSTED', 429, 'Too many conversations run at once', { retryable: true }),
  resource_exhausted: row('RESOURCE_EXHAUSTED', 429, 'A limit is reached', { retryable: true }),
  turn_cancelled: row('CANCELLED', 499, 'The turn was cancelled'),
  internal: row('INTERNAL', 500, 'Something went wrong on our side', { public: false }),
  outcome_unknown: row('INTERNAL', 500, 'It is not known whether the effect happened'),
  turn_failed: row('INTERNAL', 500, 'The turn could not be finished'),
  not_implemented: row('UNIMPLEMENTED', 501, 'Not offered by this version'),
  model_failed: row('UNAVAILABLE', 502, 'The model gave no usable answer', { retryable: true }),
  turn_interrupted: row('UNAVAILABLE', 503, 'The turn was interrupted', { retryable: true }),
  pod_unavailable: row('UNAVAILABLE', 503, 'No agent pod could be started', { retryable: true }),
  sandbox_unavailable: row('UNAVAILABLE', 503, 'Programs cannot be run safely on this machine'),
  model_unavailable: row('UNAVAILABLE', 503, 'The model cannot be reached', { retryable: true }),
  trail_unavailable: row('UNAVAILABLE', 503, 'The trail cannot be written, so nothing is done', { retryable: true }),
  unavailable: row('UNAVAILABLE', 503, 'A part of the platform cannot be reached', { retryable: true }),
  deadline_exceeded: row('DEADLINE_EXCEEDED', 504, 'It took too long', { retryable: true }),
} as const satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof FAULTS;

export const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code);

export const faultRow = (code: FaultCode): FaultRow => FAULTS[code];
