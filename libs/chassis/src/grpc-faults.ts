/** Faults on the wire: our code travels in google.rpc.ErrorInfo, the text of an unknown error never does. */
import { ERROR_DOMAIN, Fault, faultCodeOfGrpcStatus, grpcStatusOf, isFaultCode, toFault } from '@bravo/faults';
import { ErrorInfo, Status } from '@bravo/proto/rpc-status';
import { Metadata, type ServiceError, type StatusObject } from '@grpc/grpc-js';

const DETAILS = 'grpc-status-details-bin';
const TYPE_URL = 'type.googleapis.com/google.rpc.ErrorInfo';

/** `reference` is what the log has the error under. */
export const faultToStatus = (error: unknown, reference: string): StatusObject => {
  const fault = toFault(error);
  const message = fault.row.public ? fault.detail : fault.row.title;
  const info = ErrorInfo.fromPartial({
    reason: fault.code,
    domain: ERROR_DOMAIN,
    metadata: { ...fault.meta, reference: fault.reference ?? reference },
  });
  const status = Status.fromPartial({
    code: grpcStatusOf(fault.code),
    message,
    details: [{ typeUrl: TYPE_URL, value: Buffer.from(ErrorInfo.encode(info).finish()) }],
  });
  const metadata = new Metadata();
  metadata.set(DETAILS, Buffer.from(Status.encode(status).finish()));
  return { code: grpcStatusOf(fault.code), details: message, metadata };
};

/** The fault a peer meant; without ErrorInfo (a dead process, a proxy) the nearest one to the status. */
export const statusToFault = (error: ServiceError, peer: string): Fault => {
  const info = readErrorInfo(error);
  if (info && isFaultCode(info.reason)) {
    const { reference, ...meta } = info.metadata;
    return new Fault(info.reason, error.details, { cause: error, meta, ...(reference ? { reference } : {}) });
  }
  const code = faultCodeOfGrpcStatus(error.code);
  const detail =
    code === 'unavailable'
      ? `The service ${peer} cannot be reached. Try again in a moment.`
      : code === 'deadline_exceeded'
        ? `The service ${peer} did not answer in time. Try again in a moment.`
        : `The service ${peer} answered with an error (${error.code}).`;
  return new Fault(code, detail, { cause: error });
};

const readErrorInfo = (error: ServiceError): ErrorInfo | undefined => {
  const raw = error.metadata?.get(DETAILS)[0];
  if (!Buffer.isBuffer(raw)) return undefined;
  try {
    const detail = Status.decode(raw).details.find((any) => any.typeUrl === TYPE_URL);
    const info = detail ? ErrorInfo.decode(detail.value) : undefined;
    return info?.domain === ERROR_DOMAIN ? info : undefined;
  } catch {
    return undefined;
  }
};
