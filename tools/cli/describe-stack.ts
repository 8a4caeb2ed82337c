/** Says of a running stack what a person has to know before they trust it: whether programs are contained, and which model answers. */
import { readPlan, type Plan } from '../stack/plan.ts';
import { withOrchestrator, withSandbox, type RunningStack } from './operator.ts';

export const describeModel = (environment: Readonly<Record<string, string>>): string => {
  const provider = environment['BRAVO_MODEL'] || environment['BRAVO_MODEL_PROVIDER'] || 'demo';
  if (provider === 'demo') return 'Model: the built-in demo planner, which is no language model (docs/demo-model.md says what it understands).';
  if (provider === 'local') return 'Model: SmolLM2 135M on this machine; it is very small and calls no tools.';
  const where = URL.parse(environment['BRAVO_MODEL_BASE_URL'] ?? '')?.host;
  return `Model: ${environment['BRAVO_MODEL_NAME'] ?? ''} (${provider}${where ? ` at ${where}` : ''}).`;
};

export interface SandboxDescription {
  readonly available: boolean;
  readonly backend: string;
  /** Why not, with the remedy; empty when it is. */
  readonly reason: string;
  readonly languages: readonly string[];
  /** contained, process, or '' where files cannot be opened. */
  readonly filesIsolation: string;
  readonly filesReason: string;
}
export type AskedSandbox = SandboxDescription | { readonly failure: string };

export const askSandbox = (stack: RunningStack): Promise<AskedSandbox> =>
  withSandbox(stack, (sandbox) => sandbox.describeSandbox({})).catch((error: unknown) => ({ failure: (error as Error).message }));

export const describeExecution = (asked: AskedSandbox): string => {
  if ('failure' in asked) return `Code execution: off, the sandbox did not answer (${asked.failure}). "./bravo doctor" says more.`;
  const { available, backend, reason, languages } = asked;
  return available
    ? `Code execution: contained (${backend}, no network; ${languages.join(', ')}).`
    : `Code execution: off, nothing runs uncontained. ${reason}`;
};

export const describeFiles = (asked: AskedSandbox): string => {
  if ('failure' in asked) return 'Files: unknown, the sandbox did not answer.';
  if (asked.filesIsolation === 'contained') return 'Files: contained (each conversation\'s in a sandbox of their own, kept as snapshots).';
  if (asked.filesIsolation === 'process') return `Files: opened by a plain process per conversation, because they cannot be contained here: ${asked.filesReason}`;
  return `Files: cannot be opened. ${asked.filesReason}`;
};

export type AskedPods = { readonly isolation: string; readonly reason: string } | { readonly failure: string };

export const askPods = (stack: RunningStack): Promise<AskedPods> =>
  withOrchestrator(stack, (orchestrator) => orchestrator.describePods({})).catch((error: unknown) => ({ failure: (error as Error).message }));

const UNCONTAINED: Readonly<Record<string, string>> = {
  user: 'NOT contained (--insecure-pods): each has a user of its own, and shares this machine\'s network',
  shared: 'NOT contained (--insecure-pods): they run as your own user and could read your files',
  refused: 'refused, so nobody gets an answer',
};

export const describePods = (asked: AskedPods): string => {
  if ('failure' in asked) return `Agent pods: unknown, the orchestrator did not answer (${asked.failure}). "./bravo doctor" says more.`;
  if (asked.isolation === 'contained') return 'Agent pods: contained (a network of their own that leads to the broker and the model gateway only).';
  return `Agent pods: ${UNCONTAINED[asked.isolation] ?? asked.isolation}. ${asked.reason}`;
};

const environmentOf = (plan: Plan | undefined, app: string): Readonly<Record<string, string>> =>
  plan?.services.find(({ name }) => name === app)?.spawn.env ?? {};

export const describeStack = async (stack: RunningStack): Promise<string[]> => {
  const [sandbox, pods] = await Promise.all([askSandbox(stack), askPods(stack)]);
  return [describeExecution(sandbox), describeFiles(sandbox), describePods(pods), describeModel(environmentOf(readPlan(stack.home), 'model-gateway'))];
};
