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
} as const satisfies Settings;
