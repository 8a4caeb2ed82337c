/** E-mail through the operator's SMTP server. Without TLS nothing is sent, unless the operator said that it may. */
import { createTransport } from 'nodemailer';
import type { Channel } from '../channel.port.ts';

export interface SmtpOptions {
  /** smtp://user:password@host:587 or smtps://… */
  readonly url: string;
  readonly from: string;
  /** The server may be spoken to without TLS: on one machine, or in a test. */
  readonly plain: boolean;
}

const TIMEOUT_MS = 15_000;

export const createSmtpChannel = ({ url, from, plain }: SmtpOptions): Channel => {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain && !secure,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing of a letter is fetched from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  });
  return {
    async send({ id, to, subject, text }) {
      // An address is one address: a list in it would send to others.
      await transport.sendMail({ messageId: `<${id}@bravo>`, from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
};
