export { Status } from './generated/google/rpc/status.ts';
export { ErrorInfo } from './generated/google/rpc/error_details.ts';
