/** Straight to the server, for specs of what is said over a connection: who may open one is egress's own spec. */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { EgressRefused } from '@bravo/chassis';
import type { OpenSocket } from './open-socket.ts';

/** As egress would answer for a destination of a tenant that is not public: every one here. */
export const straightSocket: OpenSocket = ({ host, port, secure }, { reach, connectMs }) =>
  new Promise((resolve, reject) => {
    if (reach === 'public') return reject(new EgressRefused('not_public'));
    const socket = secure ? connectTls({ host, port, servername: host }) : connect({ host, port });
    const late = setTimeout(() => socket.destroy(new EgressRefused('connect_timeout')), connectMs);
    socket.once('error', (cause) => {
      clearTimeout(late);
      reject(cause instanceof EgressRefused ? cause : new EgressRefused('unreachable', { cause }));
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
