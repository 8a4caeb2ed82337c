import { z } from 'zod';
import { databaseSettings, grpcSettings, natsSettings, processSettings, setting, type Settings } from '../setting.ts';

const listed = (pattern: RegExp, problem: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
    .refine((entries) => entries.every((entry) => pattern.test(entry)), problem);

export const egressSettings = {
  ...processSettings,
  ...databaseSettings,
  ...natsSettings,
  serviceKeysFile: grpcSettings.serviceKeysFile,
  proxyPort: setting(
    'BRAVO_EGRESS_PORT',
    z.coerce.number().int().min(0).max(65_535).default(0),
    'Port of the CONNECT proxy; 0 takes a free one.',
  ),
  privateDestinations: setting(
    'BRAVO_EGRESS_PRIVATE_DESTINATIONS',
    listed(/^(broker|models|audit|automation)=\S+:\d{1,5}$/, 'must be entries such as audit=siem.internal:6514'),
    'Destinations that are reached although they are not public, as service=host:port, separated by commas or spaces: broker for fetch_url, models for providers, audit for deliveries, checkpoints and witnesses, automation for webhooks of notifications. Empty: none.',
  ),
  dnsServers: setting(
    'BRAVO_EGRESS_DNS_SERVERS',
    listed(
      /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\])(:\d{1,5})?$/,
      'must be addresses such as 10.0.0.2 or 10.0.0.2:5353',
    ),
    "Name servers that are asked for every name that is connected to; empty: this machine's own resolver.",
  ),
  connections: setting(
    'BRAVO_EGRESS_CONNECTIONS',
    z.coerce.number().int().min(1).max(100_000).default(1_000),
    'Connections to the outside that are open at the same time; one more is refused and told so.',
  ),
  connectionsPerWorkspace: setting(
    'BRAVO_EGRESS_CONNECTIONS_PER_WORKSPACE',
    z.coerce.number().int().min(1).max(100_000).default(200),
    'The same for one workspace.',
  ),
} as const satisfies Settings;
