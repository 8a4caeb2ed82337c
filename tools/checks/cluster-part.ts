/** The platform on a real cluster: images built and loaded, the chart's tests and the contract of pods run, the cluster ended if it was started here. */
import { rmSync } from 'node:fs';
import { clusterObstacle, installSeccompProfile, loadPlatformImages, openCluster } from '../cluster/cluster-tools.ts';
import { ensurePlatformImages } from '../images/platform/build-platform-images.ts';
import type { Part } from './part.ts';
import { runJest } from './run-jest.ts';

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

/** `small` installs the chart and has one conversation; `whole` is everything. */
export type ClusterSet = 'small' | 'whole';

type Environment = Readonly<Record<string, string | undefined>>;

const run = async (set: ClusterSet, environment: Environment) => {
  const { directory, built } = await ensurePlatformImages(say);
  const tools = await openCluster(environment, say);
  try {
    await loadPlatformImages(tools, directory, built, say);
    const profile = installSeccompProfile(tools);
    const { code, report } = await runJest(['--config', 'jest.cluster.mjs', '--runInBand'], {
      show: true,
      env: {
        BRAVO_TEST_CLUSTER_SET: set,
        BRAVO_TEST_CLUSTER_TAG: built.tag,
        BRAVO_TEST_CLUSTER_KUBECONFIG: tools.kubeconfig,
        BRAVO_TEST_CLUSTER_IMAGE: `bravo/agent-runtime:${built.tag}`,
        BRAVO_TEST_CLUSTER_SECCOMP: profile || environment['BRAVO_TEST_KUBECONFIG'] ? 'bravo/bravo-sandbox.json' : '',
      },
    });
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    return {
      passed: report.numPassedTests,
      failed: failed === 0 && code !== 0 ? 1 : failed,
      skipped: report.numPendingTests,
    };
  } finally {
    await tools.close();
    // Images of a state of the checkout that was only tested are not kept.
    if (environment['BRAVO_KEEP_PLATFORM_IMAGES'] !== 'true') rmSync(directory, { recursive: true, force: true });
  }
};

/** Where there is no cluster the part fails with the reason: whoever names it wants it to have run. */
export const clusterPart = (set: ClusterSet, environment: Environment): Part => ({
  name: set === 'whole' ? 'cluster' : 'cluster (small)',
  run: () => {
    const obstacle = clusterObstacle(environment);
    if (obstacle !== '') throw new Error(`there is ${obstacle}.`);
    return run(set, environment);
  },
});
