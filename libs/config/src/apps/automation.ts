import { z } from 'zod';
import {
  databaseSettings,
  duration,
  egressAddress,
  flag,
  grpcSettings,
  identityAddress,
  natsSettings,
  outboundCertificates,
  processSettings,
  setting,
  type Settings,
} from '../setting.ts';

export const automationSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
  identityAddress,
  egressAddress,
  outboundCertificates,
  publicUrl: setting('BRAVO_PUBLIC_URL', z.url(), 'Where people open the page: what a letter links to.'),
  smtpUrl: setting(
    'BRAVO_SMTP_URL',
    z.union([z.literal(''), z.url({ protocol: /^smtps?$/ })]).default(''),
    'Mail server that takes notifications, smtp://user:password@host:587 or smtps://…; empty: nothing is sent by e-mail.',
    { secret: true },
  ),
  smtpFrom: setting(
    'BRAVO_SMTP_FROM',
    z.string().min(3).default('Bravo <bravo@localhost>'),
    'Sender of these letters.',
  ),
  smtpPlain: setting(
    'BRAVO_SMTP_PLAIN',
    flag.default(false),
    'Whether that server may be spoken to without TLS; only for one on this machine.',
  ),
  longTurnSeconds: setting(
    'BRAVO_NOTIFY_LONG_TURN_SECONDS',
    duration(60),
    'An answer that took at least this long is told of when it ends.',
  ),
} as const satisfies Settings;
