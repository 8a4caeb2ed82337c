/** Credentials of the operator's AWS account as the AWS SDK finds them: a profile, else what the machine has. Never asked for a tenant. */
import { ModelProviderError } from '../model-provider.port.ts';
import type { Credential } from './sdk-provider.ts';

export const readAwsCredentials = async (profile: string | undefined): Promise<Credential> => {
  // Large, and needed by nobody without Bedrock.
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await fromNodeProviderChain({
      ...(profile && { profile }),
    })();
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  } catch (cause) {
    const which =
      profile === undefined
        ? 'The machine has no AWS credentials'
        : `The AWS profile ${profile} has no usable credentials`;
    throw new ModelProviderError(
      'unauthorized',
      `${which}, or they have expired. Sign in again with AWS, or name another profile in provider.amazon-bedrock.options.profile of the platform settings.`,
      { cause },
    );
  }
};
