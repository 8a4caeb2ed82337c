import { z } from 'zod';
import {
  databaseSettings,
  duration,
  grpcSettings,
  natsSettings,
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

export const auditSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
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
    'Address that each published checkpoint is sent to (POST, the signed note as text).',
  ),
  witnesses: setting(
    'BRAVO_WITNESSES',
    list,
    'Witnesses (C2SP tlog-witness) that are asked to cosign, separated by commas, each as "URL KEY".',
  ),
} as const satisfies Settings;
