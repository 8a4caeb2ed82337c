/** What the gateway's doctor says of one person's settings, as lines; names and places, because the answer holds no value. */
import { httpUrl, mintToken, type RunningStack, revokeToken } from './operator.ts';
import { CommandError } from './command.ts';
import { visibleText } from '../demo/visible-text.ts';

interface InForce {
  readonly key: string;
  readonly layer: string;
  readonly overridden: readonly string[];
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly layers: readonly { readonly layer: string; readonly version: number; readonly bytes: number; readonly state: string }[];
  readonly settings: readonly InForce[];
  readonly variables: readonly InForce[];
  readonly providers: readonly { readonly id: string; readonly layer: string; readonly host: string; readonly credential: string; readonly names: readonly string[]; readonly models: number }[];
  readonly rules: readonly { readonly list: string; readonly layer: string; readonly count: number }[];
  readonly lists: readonly { readonly key: string; readonly layer: string; readonly count: number }[];
  readonly findings: readonly { readonly severity: string; readonly code: string; readonly layer: string; readonly key: string; readonly rule: string; readonly text: string }[];
}

export interface WhoseSettings {
  readonly as: string;
  readonly workspace?: string | undefined;
  readonly conversation?: string | undefined;
}

/** @throws CommandError where the doctor does not answer; wrong settings are an answer. */
export const askDoctor = async (stack: RunningStack, production: boolean, whose: WhoseSettings): Promise<Diagnosis> => {
  const minted = await mintToken(stack, production, whose.as, { workspace: whose.workspace, ttlSeconds: 60, label: './bravo doctor' });
  try {
    const query = whose.conversation === undefined ? '' : `?conversation=${encodeURIComponent(whose.conversation)}`;
    const response = await fetch(`${httpUrl(stack, 'gateway')}/api/v1/${minted.workspace}/bravo/doctor${query}`, {
      headers: { authorization: `Bearer ${minted.token}` },
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new CommandError((answer as { detail?: string }).detail ?? `HTTP ${response.status}`);
    return answer as Diagnosis;
  } finally {
    await revokeToken(stack, minted.tokenId).catch(() => {});
  }
};

const overridden = ({ overridden: layers }: InForce): string => (layers.length === 0 ? '' : `, over ${layers.join(', ')}`);

const CREDENTIALS: Readonly<Record<string, string>> = {
  secret: 'key found among the sealed secrets',
  operator: "key is the operator's",
  document: 'key written in the document',
  none: 'names no key',
  missing: 'no key found',
};

/** One fact a line; what somebody else wrote is shown with its hidden characters as symbols. */
export const diagnosisLines = (told: Diagnosis): readonly string[] =>
  [
    ...told.layers.map(({ layer, version, bytes, state }) => `  layer ${layer}: ${state.replace('_', ' ')}${version === 0 ? '' : `, version ${version}, ${bytes} bytes`}`),
    ...told.settings.map((setting) => `  ${setting.key}: from ${setting.layer}${overridden(setting)}`),
    ...told.variables.map((variable) => `  ${variable.key}: set, from ${variable.layer}${overridden(variable)}`),
    ...told.providers.map(
      ({ id, layer, host, credential, names, models }) =>
        `  provider ${id}: from ${layer}, to ${host || 'its own service'}, ${models === 0 ? 'every model it offers' : `${models} models`}, ${CREDENTIALS[credential] ?? credential}${names.length === 0 ? '' : ` (${names.join(', ')})`}`,
    ),
    ...told.rules.map(({ list, layer, count }) => `  rules that ${list}: ${count} from ${layer}`),
    ...told.lists.map(({ key, layer, count }) => `  ${key}: ${count} from ${layer}`),
    ...told.findings.map(
      ({ severity, code, layer, key, rule, text }) =>
        `${severity === 'error' ? '✗' : '!'} ${layer}${key === '' ? '' : ` ${key}`}${rule === '' ? '' : ` "${rule}"`}: ${text} [${code}]`,
    ),
  ].map((line) => visibleText(line.replaceAll('\n', '\u240a')));
