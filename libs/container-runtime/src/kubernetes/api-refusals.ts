/** Turns what the API server refused into a fault with a sentence for the person who waits. */
import { ApiException } from '@kubernetes/client-node';
import { Fault } from '@bravo/faults';

const messageOf = (error: ApiException<unknown>): string => {
  const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body ?? '');
  try {
    return (JSON.parse(body) as { message?: string }).message ?? body;
  } catch {
    return body;
  }
};

export const refusedSpawn = (name: string, error: unknown): Fault => {
  if (!(error instanceof ApiException))
    return new Fault(
      'pod_unavailable',
      'The Kubernetes API server does not answer, so no agent pod can be started. Try again in a moment.',
      { cause: error },
    );
  const said = messageOf(error as ApiException<unknown>);
  if (error.code === 409) return new Fault('conflict', `There is a container named ${name} already.`);
  if (error.code === 403 && /exceeded quota/i.test(said))
    return new Fault(
      'pod_unavailable',
      `The quota of the agents' namespace is used up (${said.replace(/^.*exceeded quota: /i, '')}): end a conversation, or ask the operator to raise it.`,
      { cause: error },
    );
  if (error.code === 403)
    return new Fault(
      'pod_unavailable',
      `Kubernetes does not allow the agent pod: ${said}. The operator of the cluster has to mend it.`,
      { cause: error },
    );
  if (error.code === 404)
    return new Fault(
      'pod_unavailable',
      `The agents' namespace is missing (${said}). The operator of the cluster has to make it.`,
      { cause: error },
    );
  return new Fault('pod_unavailable', `The Kubernetes API server refused the agent pod (${error.code}): ${said}`, {
    cause: error,
  });
};
