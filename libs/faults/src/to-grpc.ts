/** Fault -> gRPC status and back. Our code travels in ErrorInfo.reason, because the status alone loses information. */
import { type FaultCode, type GrpcStatusName, FAULTS } from './fault-catalogue.ts';

/** Numbers of https://grpc.io/docs/guides/status-codes/ . */
export const GRPC_STATUS: Readonly<Record<GrpcStatusName, number>> = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

export const ERROR_DOMAIN = 'bravo';

export const grpcStatusOf = (code: FaultCode): number => GRPC_STATUS[FAULTS[code].grpc];

/** The nearest fault for a bare gRPC status, for peers that sent no ErrorInfo (a dead process, a proxy). */
export const faultCodeOfGrpcStatus = (status: number): FaultCode => {
  switch (status) {
    case 1:
      return 'turn_cancelled';
    case 3:
      return 'invalid_argument';
    case 4:
      return 'deadline_exceeded';
    case 5:
      return 'not_found';
    case 7:
      return 'permission_denied';
    case 8:
      return 'resource_exhausted';
    case 10:
      return 'conflict';
    case 12:
      return 'not_implemented';
    case 14:
      return 'unavailable';
    case 16:
      return 'unauthenticated';
    default:
      return 'internal';
  }
};
