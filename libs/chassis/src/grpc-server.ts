/**
 * A gRPC server on which every method is answered only for a verified principal whose issuer the access table names.
 * A method without a row in the table is refused; no handler ever sees an unverified call.
 */
import { protoDirectory } from '@bravo/proto';
import { Fault, toFault } from '@bravo/faults';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { join } from 'node:path';
import { faultToStatus } from './grpc-faults.ts';
import { type Logger } from './logger.ts';
import { type Principal, type PrincipalVerifier, type ServiceName } from './principal.ts';
import { newId } from './reference.ts';
import { createTimer } from './metrics.ts';
import { startSpan, stepName } from './spans.ts';
import { parseTraceparent, runInTrace } from './trace-context.ts';

interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

export interface CallContext {
  readonly principal: Principal;
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
}

/** The handler a ts-proto method definition asks for: streams are async iterables, also that of the requests. */
export type Handler<D> = D extends {
  requestStream: infer R;
  responseStream: infer S;
  requestDeserialize: (value: Buffer) => infer Request;
  responseSerialize: (value: infer Response) => Buffer;
}
  ? S extends true
    ? (request: R extends true ? AsyncIterable<Request> : Request, context: CallContext) => AsyncIterable<Response>
    : (request: Request, context: CallContext) => Promise<Response>
  : never;

export type Handlers<S> = { readonly [K in keyof S]: Handler<S[K]> };
/** Which services may call each method. */
export type AccessTable<S> = { readonly [K in keyof S]: readonly ServiceName[] };

export interface GrpcServerOptions {
  readonly service: ServiceName;
  readonly verifier: PrincipalVerifier;
  readonly logger: Logger;
}

export interface GrpcServer {
  addService<S extends object>(definition: S, handlers: Handlers<S>, access: AccessTable<S>): void;
  /** @returns the port listened on (a free one when 0 was asked). */
  listen(host: string, port: number): Promise<number>;
  setServing(serving: boolean): void;
  /** Stops taking calls, lets running ones end for up to `graceMs`, then cuts them. */
  drain(graceMs: number): Promise<void>;
}

const timer = createTimer('bravo_grpc_request_duration_seconds', 'Time from a gRPC call to the end of its answer.', [
  'service',
  'method',
  'code',
]);

const MAX_MESSAGE_BYTES = 80 * 1024 * 1024;

export const createGrpcServer = ({ service, verifier, logger }: GrpcServerOptions): GrpcServer => {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });
  const health = new HealthImplementation({ '': 'SERVING' });
  health.addToServer(server);
  const protoFiles = new Set<string>();

  const authenticate = async (
    metadata: Metadata,
    method: string,
    issuers: readonly ServiceName[] | undefined,
  ): Promise<Principal> => {
    const header = String(metadata.get('authorization')[0] ?? '');
    if (!header.startsWith('Bearer ')) throw new Fault('unauthenticated', 'The call carries no internal principal.');
    const principal = await verifier.verify(header.slice('Bearer '.length));
    if (!issuers?.includes(principal.issuer)) {
      throw new Fault('permission_denied', `The service ${principal.issuer} may not call ${method} of ${service}.`);
    }
    return principal;
  };

  /** Runs one call in its span and measures it; `work` answers by itself and rejects with what went wrong. */
  const observe = async (metadata: Metadata, method: string, work: () => Promise<void>): Promise<void> => {
    const name = method.slice(method.lastIndexOf('/') + 1);
    const began = performance.now();
    const span = startSpan(stepName(name), {
      kind: 'server',
      parent: parseTraceparent(traceparentOf(metadata)) ?? null,
      attributes: { 'rpc.system': 'grpc', 'rpc.method': method },
    });
    let code = 'ok';
    try {
      await runInTrace(span.context, work);
    } catch (error) {
      span.fail(error);
      code = toFault(error).code;
    } finally {
      span.end();
      timer.observe((performance.now() - began) / 1e3, { service, method: name, code });
    }
  };

  const failure = (error: unknown, method: string, cancelled: boolean) => {
    const reference = newId('ref');
    const fault = toFault(error);
    if (!cancelled) {
      const line = {
        method,
        code: fault.code,
        reference: fault.reference ?? reference,
        detail: fault.detail,
        err: fault.code === 'internal' ? (fault.cause ?? fault) : undefined,
      };
      if (fault.code === 'internal') logger.error(line, 'call failed');
      else logger.info(line, 'call refused');
    }
    return faultToStatus(fault, reference);
  };

  const unary =
    (
      method: string,
      issuers: readonly ServiceName[] | undefined,
      handle: (request: unknown, context: CallContext) => Promise<unknown>,
    ): handleUnaryCall<unknown, unknown> =>
    (call: ServerUnaryCall<unknown, unknown>, callback) => {
      const abort = new AbortController();
      call.on('cancelled', () => abort.abort());
      void observe(call.metadata, method, async () => {
        try {
          const principal = await authenticate(call.metadata, method, issuers);
          callback(null, await handle(call.request, { principal, signal: abort.signal }));
        } catch (error) {
          callback(failure(error, method, abort.signal.aborted));
          throw error;
        }
      });
    };

  const streaming =
    (
      method: string,
      issuers: readonly ServiceName[] | undefined,
      handle: (request: unknown, context: CallContext) => AsyncIterable<unknown>,
    ): handleServerStreamingCall<unknown, unknown> =>
    (call: ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>) => {
      const abort = new AbortController();
      call.on('cancelled', () => abort.abort());
      void observe(call.metadata, method, async () => {
        try {
          const principal = await authenticate(call.metadata, method, issuers);
          // A handler that stops listening has not ended the call.
          const request = 'request' in call ? call.request : call.iterator({ destroyOnReturn: false });
          for await (const message of handle(request, { principal, signal: abort.signal })) {
            if (abort.signal.aborted) break;
            if (!call.write(message)) await drained(call, abort.signal);
          }
          call.end();
        } catch (error) {
          call.emit('error', failure(error, method, abort.signal.aborted));
          throw error;
        }
      });
    };

  return {
    addService(definition, handlers, access) {
      const implementation: Record<string, UntypedHandleCall> = {};
      for (const [name, method] of Object.entries(definition) as [
        keyof typeof definition & string,
        MethodDefinition,
      ][]) {
        const issuers = access[name];
        const handle = handlers[name] as never;
        implementation[name] = (
          method.responseStream ? streaming(method.path, issuers, handle) : unary(method.path, issuers, handle)
        ) as UntypedHandleCall;
        protoFiles.add(protoFileOf(method.path));
      }
      server.addService(definition as never, implementation);
    },
    listen(host, port) {
      new ReflectionService(loadSync([...protoFiles], { includeDirs: [protoDirectory] })).addToServer(server);
      return new Promise((resolve, reject) => {
        server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
          error ? reject(new Error(`${service} cannot listen on ${host}:${port}: ${error.message}`)) : resolve(bound),
        );
      });
    },
    setServing: (serving) => health.setStatus('', serving ? 'SERVING' : 'NOT_SERVING'),
    async drain(graceMs) {
      health.setStatus('', 'NOT_SERVING');
      const cut = setTimeout(() => server.forceShutdown(), graceMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(cut);
    },
  };
};

const traceparentOf = (metadata: Metadata): string | undefined => metadata.get('traceparent')[0]?.toString();

/** `/bravo.identity.v1.IdentityService/SignIn` is declared in `bravo/identity/v1/identity.proto`. */
const protoFileOf = (path: string): string => {
  const packageName = path.slice(1, path.lastIndexOf('.'));
  const segments = packageName.split('.');
  return join(...segments, `${segments[1]}.proto`);
};

const drained = (call: NodeJS.WritableStream, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      call.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    call.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
