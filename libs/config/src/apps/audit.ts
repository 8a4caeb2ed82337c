import { z } from 'zod';
import {
  databaseSettings,
  duration,
  egressAddress,
  grpcSettings,
  natsSettings,
  outboundCertificates,
  processSettings,
  setting,
  type Settings,
} from '../setting.ts';

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** "400d", "12h", "90s" or "forever"; zero, nothing and anything else are errors, so that a slip neither deletes nor keeps. */
const span = (fallback: string) =>
  z
    .string()
    .regex(/^(forever|[1-9]\d{0,6}[smhd])$/, 'must be a time such as 400d, 12h or 90s, or the word forever')
    .default(fallback);

export const auditSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
  egressAddress,
  outboundCertificates,
  signingKeyFile: setting(
    'BRAVO_AUDIT_SIGNING_KEY_FILE',
    z.string().min(1),
    'File with the Ed25519 private key (PKCS#8 PEM) that signs checkpoints.',
  ),
  checkpointRows: setting(
    'BRAVO_CHECKPOINT_ROWS',
    z.coerce.number().int().positive().default(100),
    'A checkpoint is signed after this many new rows.',
  ),
  checkpointSeconds: setting(
    'BRAVO_CHECKPOINT_SECONDS',
    duration(2),
    'A checkpoint is signed at the latest this long after a new row.',
  ),
  contentKeyFile: setting(
    'BRAVO_AUDIT_CONTENT_KEY_FILE',
    z.string().min(1),
    'File with 32 random bytes (base64) that wrap the keys of sealed content.',
  ),
  overlapKeyFile: setting(
    'BRAVO_AUDIT_OVERLAP_KEY_FILE',
    z.string().optional(),
    'File with the signing key before this one (PKCS#8 PEM), which signs beside it until everybody who verifies knows the new one.',
  ),
  retiredKeyFiles: setting(
    'BRAVO_AUDIT_RETIRED_KEY_FILES',
    list,
    'Files with earlier signing keys (public, SPKI PEM), separated by commas: what they signed stays readable, they sign nothing.',
  ),
  witnessDatabaseUrl: setting(
    'BRAVO_WITNESS_DATABASE_URL',
    z.string().optional(),
    'PostgreSQL URL of a role that may only add to and read the table witness.checkpoints; checkpoints are kept there, too. Secret.',
    { secret: true },
  ),
  checkpointDirectory: setting(
    'BRAVO_CHECKPOINT_DIRECTORY',
    z.string().optional(),
    'Directory, best on another volume, that gets each published checkpoint as a file. Under `./bravo up` it is .bravo/checkpoints unless set.',
  ),
  checkpointWebhook: setting(
    'BRAVO_CHECKPOINT_WEBHOOK',
    z.url({ protocol: /^https?$/ }).optional(),
    'Address that each published checkpoint is sent to (POST, the signed note as text), through egress: one that is not public must be in BRAVO_EGRESS_PRIVATE_DESTINATIONS.',
  ),
  prunerDatabaseUrl: setting(
    'BRAVO_AUDIT_PRUNER_DATABASE_URL',
    z.string().optional(),
    'PostgreSQL URL of the role that may call audit.prune_entries and do nothing else; without it no row is ever pruned. Secret.',
    { secret: true },
  ),
  retentionRows: setting(
    'BRAVO_TRAIL_RETENTION',
    span('forever'),
    'How long rows of the trail are kept where a workspace says nothing: 400d, 12h, or forever.',
  ),
  retentionContent: setting(
    'BRAVO_TRAIL_CONTENT_RETENTION',
    span('forever'),
    'How long sealed content of tool calls can be opened where a workspace says nothing, counted from when its key seals no more.',
  ),
  retentionLeast: setting(
    'BRAVO_TRAIL_RETENTION_LEAST',
    span('30d'),
    'The shortest time a workspace may choose. Below 8d a stream that is published again could bring back rows that were pruned as late ones.',
  ),
  pruneSeconds: setting('BRAVO_TRAIL_PRUNE_SECONDS', duration(3_600), 'How often what is over its time is pruned.'),
  witnesses: setting(
    'BRAVO_WITNESSES',
    list,
    'Witnesses (C2SP tlog-witness) that are asked to cosign, separated by commas, each as "URL KEY".',
  ),
} as const satisfies Settings;
