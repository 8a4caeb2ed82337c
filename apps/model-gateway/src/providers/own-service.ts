/** The service that is there without any settings: built in, or named by the operator's variables. Its first model is what automatic leads to. */
import { PLATFORM_WORKSPACE } from '@bravo/events';
import type { OwnService } from '../rosters/load-roster.ts';
import { createOutbound } from './ai-sdk/outbound.ts';
import { createVendorProvider } from './ai-sdk/vendors.ts';
import { readAwsCredentials } from './ai-sdk/aws-credentials.ts';
import { createDemoProvider, DEMO_MODEL } from './demo/demo-provider.ts';
import { createLocalProvider, LOCAL_MODEL, type LocalModelFiles } from './local/local-provider.ts';
import type { OpenSocketFor } from './open-socket.ts';
import { type OperatorSettings, readOperatorProvider } from './operator-provider.ts';

export interface OwnServicePatience {
  readonly connectMs: number;
  readonly patience: { readonly idleMs: number };
  readonly openSocketFor: OpenSocketFor;
}

export interface LocalSettings {
  readonly localModelFile: string;
  readonly localModelRuntime: string;
}

/** @throws Error with one sentence naming the variable. */
export function makeOwnService(settings: OperatorSettings & LocalSettings, how: OwnServicePatience): OwnService {
  if (settings.provider === 'demo') return { provider: createDemoProvider(), models: [DEMO_MODEL], bare: true };
  if (settings.provider === 'local')
    return { provider: createLocalProvider(localFiles(settings)), models: [LOCAL_MODEL], bare: false };
  const entry = readOperatorProvider(settings);
  if (!entry) throw new Error(`"${settings.provider}" is no model provider; BRAVO_MODEL_PROVIDER names one.`);
  const { fetch } = createOutbound({
    connectMs: how.connectMs,
    idleMs: how.patience.idleMs,
    publicOnly: false,
    openSocket: how.openSocketFor(PLATFORM_WORKSPACE, entry.id),
  });
  const provider = createVendorProvider(entry, {
    fetch,
    readKey: () => Promise.resolve(undefined),
    awsCredentials: readAwsCredentials,
  });
  return { provider, models: entry.models, bare: false };
}

function localFiles({ localModelFile: weights, localModelRuntime: runtime }: LocalSettings): LocalModelFiles {
  if (weights === '' || runtime === '')
    throw new Error(
      'BRAVO_MODEL=local needs BRAVO_LOCAL_MODEL_FILE and BRAVO_LOCAL_MODEL_RUNTIME; "./bravo up" sets both.',
    );
  return { weights, runtime };
}
