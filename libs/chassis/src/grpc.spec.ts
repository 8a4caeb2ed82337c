import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import { ModelsServiceService } from '@bravo/proto/models';
import { exportJWK, generateKeyPair } from 'jose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import {
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  currentTrace,
  type GrpcServer,
  newTrace,
  type Principal,
  runInTrace,
  type ServiceName,
} from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'bravo-chassis-'));
const keyFile = (name: string) => join(directory, `${name}.json`);
const seen: { principal?: Principal; trace?: string } = {};
let server: GrpcServer;
let address: string;

const writeKeys = async (names: readonly string[]) => {
  const keys = await Promise.all(
    names.map(async (name) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(keyFile(name), JSON.stringify(await exportJWK(privateKey)));
      return { ...(await exportJWK(publicKey)), kid: name, alg: 'ES256' };
    }),
  );
  writeFileSync(keyFile('jwks'), JSON.stringify({ keys }));
};

const clientOf = async (service: ServiceName, signKey: string = service, audience: ServiceName = 'models') =>
  createGrpcClient(ModelsServiceService, {
    address,
    audience,
    signer: await createPrincipalSigner(service, keyFile(signKey)),
  });

const notAsked = (): never => {
  throw new Fault('internal', 'No test asks this.');
};

beforeAll(async () => {
  await writeKeys(['gateway', 'broker', 'models']);
  server = createGrpcServer({
    service: 'models',
    verifier: createPrincipalVerifier('models', keyFile('jwks')),
    logger: createLogger('test', 'silent'),
  });
  server.addService(
    ModelsServiceService,
    {
      listModels: async (_request, { principal }) => {
        seen.principal = principal;
        seen.trace = currentTrace()?.traceId ?? '';
        return { models: [], defaultModel: 'demo', services: [], notes: [] };
      },
      listTokenUsage: async () => {
        throw new Fault('too_many_conversations', 'Three run already.', { meta: { limit: '3' } });
      },
      getModelChoice: notAsked,
      putModelChoice: notAsked,
      runIsolated: notAsked,
      getAllowance: notAsked,
      summarise: notAsked,
      putInstructions: notAsked,
      getContext: notAsked,
      forgetConversation: notAsked,
      grantCredits: notAsked,
    },
    {
      listModels: ['gateway'],
      listTokenUsage: ['gateway'],
      getModelChoice: [],
      putModelChoice: [],
      runIsolated: [],
      getAllowance: [],
      summarise: [],
      putInstructions: [],
      getContext: [],
      forgetConversation: [],
      grantCredits: [],
    },
  );
  address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
});

afterAll(async () => {
  await server.drain(100);
  rmSync(directory, { recursive: true });
});

describe('an internal gRPC call', () => {
  it('carries the principal and the trace', async () => {
    const client = await clientOf('gateway');
    const trace = newTrace();
    const subject = {
      userId: 'usr_1',
      workspaceId: 'ws_1',
      permissions: ['view_content'],
      agent: { conversationId: 'cnv_1', podId: 'pod_1' },
    };
    await expect(runInTrace(trace, () => client.listModels({ search: '' }, { subject }))).resolves.toEqual({
      models: [],
      defaultModel: 'demo',
      services: [],
      notes: [],
    });
    expect(seen.principal).toMatchObject({ issuer: 'gateway', audience: 'models', ...subject });
    expect(seen.trace).toBe(trace.traceId);
    client.close();
  });

  it('gets the fault the callee threw, with its extras', async () => {
    const client = await clientOf('gateway');
    await expect(client.listTokenUsage({})).rejects.toMatchObject({
      code: 'too_many_conversations',
      detail: 'Three run already.',
      meta: { limit: '3' },
    });
    client.close();
  });

  it('is refused for an issuer the access table does not name [tenancy.principal]', async () => {
    const client = await clientOf('broker');
    await expect(client.listModels({ search: '' })).rejects.toMatchObject({ code: 'permission_denied' });
    client.close();
  });

  it('is refused for a principal meant for another service [tenancy.principal]', async () => {
    const client = await clientOf('gateway', 'gateway', 'broker');
    await expect(client.listModels({ search: '' })).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: expect.stringContaining('aud'),
    });
    client.close();
  });

  it('is refused when a stolen key speaks as another service [tenancy.principal]', async () => {
    const client = await clientOf('gateway', 'broker');
    await expect(client.listModels({ search: '' })).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: expect.stringContaining('signature'),
    });
    client.close();
  });

  it('is refused without a principal [tenancy.principal]', async () => {
    const raw = new Client(address, credentials.createInsecure());
    const { listModels } = ModelsServiceService;
    const code = await new Promise((resolve) => {
      raw.makeUnaryRequest(
        listModels.path,
        listModels.requestSerialize,
        listModels.responseDeserialize,
        { search: '' },
        new Metadata(),
        (error) => resolve(error?.code),
      );
    });
    expect(code).toBe(16);
    raw.close();
  });

  it('says plainly that a peer is away', async () => {
    const client = createGrpcClient(ModelsServiceService, {
      address: '127.0.0.1:1',
      audience: 'models',
      signer: await createPrincipalSigner('gateway', keyFile('gateway')),
    });
    await expect(client.listModels({ search: '' })).rejects.toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('models'),
    });
    client.close();
  });
});
