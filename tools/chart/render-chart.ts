/** Renders the chart with Helm as an install would, without a cluster. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { chartDirectory } from './chart-files.ts';
import { findHelm } from './helm-program.ts';

const run = promisify(execFile);

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec?: Record<string, unknown>;
  readonly [other: string]: unknown;
}

/** @param args values, as `-f FILE` or `--set a=b`. Rejects with Helm's own sentence. */
export const renderChart = async (args: readonly string[]): Promise<Manifest[]> => {
  const helm = await findHelm();
  const options = [
    'template',
    'bravo',
    chartDirectory,
    '--namespace',
    'bravo',
    '--api-versions',
    'gateway.networking.k8s.io/v1',
  ];
  const { stdout } = await run(helm, [...options, ...args], { maxBuffer: 64 * 1024 * 1024 });
  return parseAllDocuments(stdout)
    .map((document) => document.toJSON() as Manifest | null)
    .filter((manifest): manifest is Manifest => manifest !== null);
};

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly [other: string]: unknown;
}
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly securityContext?: Record<string, unknown>;
  readonly resources?: Record<string, unknown>;
}

/** The pod a manifest is or makes. */
export const podOf = (manifest: Manifest): PodSpec | undefined => {
  if (manifest.kind === 'Pod') return manifest.spec as unknown as PodSpec;
  return (manifest.spec?.['template'] as { spec?: PodSpec } | undefined)?.spec;
};
