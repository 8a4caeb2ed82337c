/** A typed gRPC client: promises and async iterables, a principal on every call, faults instead of status codes. */
import {
  type Channel,
  Client,
  type ClientDuplexStream,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { statusToFault } from './grpc-faults.ts';
import { type PrincipalSigner, type ServiceName, serviceSubject, type Subject } from './principal.ts';
import { currentTraceparent } from './trace-context.ts';

export interface CallOptions {
  /** Whom the call is made for; absent means the calling service itself. */
  readonly subject?: Subject;
  /** Absent means the client's default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface Method<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (value: Buffer) => Response;
}

export type ClientMethod<D> = D extends {
  requestStream: infer R;
  responseStream: infer S;
  requestSerialize: (value: infer Request) => Buffer;
  responseDeserialize: (value: Buffer) => infer Response;
}
  ? S extends true
    ? (request: R extends true ? AsyncIterable<Request> : Request, options?: CallOptions) => AsyncIterable<Response>
    : (request: Request, options?: CallOptions) => Promise<Response>
  : never;

export type GrpcClient<S> = { readonly [K in keyof S]: ClientMethod<S[K]> } & { close(): void; channel(): Channel };

export interface GrpcClientOptions {
  /** host:port */
  readonly address: string;
  readonly audience: ServiceName;
  readonly signer: PrincipalSigner;
  readonly defaultTimeoutMs?: number;
}

const MAX_MESSAGE_BYTES = 80 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;

/** @throws Fault from every call: the peer's own, or `unavailable` / `deadline_exceeded` when it did not answer. */
export const createGrpcClient = <S extends object>(
  definition: S,
  { address, audience, signer, defaultTimeoutMs = DEFAULT_TIMEOUT_MS }: GrpcClientOptions,
): GrpcClient<S> => {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    // A restarted peer is found again quickly.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
  });

  const metadataFor = async (subject: Subject | undefined): Promise<Metadata> => {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${await signer.sign(subject ?? serviceSubject(signer.service), audience)}`);
    const traceparent = currentTraceparent();
    if (traceparent) metadata.set('traceparent', traceparent);
    return metadata;
  };

  const unary =
    (method: Method<unknown, unknown>) =>
    async (request: unknown, options: CallOptions = {}): Promise<unknown> => {
      const metadata = await metadataFor(options.subject);
      return new Promise((resolve, reject) => {
        const deadline = Date.now() + (options.timeoutMs ?? defaultTimeoutMs);
        const call = client.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          metadata,
          { deadline },
          (error, response) => {
            options.signal?.removeEventListener('abort', cancel);
            if (error) reject(statusToFault(error, audience));
            else resolve(response);
          },
        );
        const cancel = () => call.cancel();
        if (options.signal?.aborted) cancel();
        else options.signal?.addEventListener('abort', cancel, { once: true });
      });
    };

  const streaming = (method: StreamMethod) =>
    async function* (request: unknown, options: CallOptions = {}): AsyncIterable<unknown> {
      const metadata = await metadataFor(options.subject);
      const deadline = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.timeoutMs;
      const { path, requestSerialize, responseDeserialize } = method;
      const call = method.requestStream
        ? sendAll(
            client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, { deadline }),
            request as AsyncIterable<unknown>,
          )
        : client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata, { deadline });
      const cancel = () => call.cancel();
      if (options.signal?.aborted) cancel();
      else options.signal?.addEventListener('abort', cancel, { once: true });
      try {
        for await (const message of call) yield message;
      } catch (error) {
        throw statusToFault(error as ServiceError, audience);
      } finally {
        options.signal?.removeEventListener('abort', cancel);
        call.cancel();
      }
    };

  const methods = Object.fromEntries(
    (Object.entries(definition) as [string, StreamMethod & { responseStream: boolean }][]).map(([name, method]) => [
      name,
      method.responseStream ? streaming(method) : unary(method),
    ]),
  );
  return { ...methods, close: () => client.close(), channel: () => client.getChannel() } as GrpcClient<S>;
};

type StreamMethod = Method<unknown, unknown> & { readonly requestStream: boolean };

/** Requests that cannot be had end the call; what was answered before that is still heard. */
const sendAll = (call: ClientDuplexStream<unknown, unknown>, requests: AsyncIterable<unknown>): typeof call => {
  void (async () => {
    try {
      for await (const request of requests) {
        if (call.writableEnded || call.destroyed) return;
        if (!call.write(request)) await new Promise((resolve) => call.once('drain', resolve).once('close', resolve));
      }
      call.end();
    } catch {
      call.cancel();
    }
  })();
  return call;
};

const PEER_WAIT_MS = 1_500;

/** For readiness: resolves when the peer's channel is connected, rejects when it is not within a moment. */
export const peerReady = (client: { channel(): Channel }): Promise<void> => {
  const deadline = Date.now() + PEER_WAIT_MS;
  const channel = client.channel();
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY) return resolve();
      channel.watchConnectivityState(state, deadline, (error) => (error ? reject(new Error('not reachable')) : look()));
    };
    look();
  });
};
