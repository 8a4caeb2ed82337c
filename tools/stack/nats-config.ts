/** Renders the NATS server's configuration: one account with JetStream, one user per service, each with only the subjects it needs. */

export interface NatsUser {
  readonly name: string;
  readonly password: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

export interface NatsServerConfig {
  /** Loopback unless said. */
  readonly host?: string;
  readonly port: number;
  readonly storeDirectory: string;
  readonly users: readonly NatsUser[];
  /** False for tests only: acknowledged messages may be lost in a crash of the machine. */
  readonly durable: boolean;
}

const quoted = (text: string): string => JSON.stringify(text);

const renderUser = (user: NatsUser): string =>
  [
    '      {',
    `        user: ${quoted(user.name)}`,
    `        password: ${quoted(user.password)}`,
    '        permissions: {',
    // An empty allow list would mean "everything" to the server; "deny all" says what is meant.
    `          publish: ${user.publish.length > 0 ? `{ allow: [${user.publish.map(quoted).join(', ')}] }` : '{ deny: ">" }'}`,
    `          subscribe: ${user.subscribe.length > 0 ? `{ allow: [${user.subscribe.map(quoted).join(', ')}] }` : '{ deny: ">" }'}`,
    '        }',
    '      }',
  ].join('\n');

export const renderNatsConfig = (config: NatsServerConfig): string => `# Rendered by ./bravo up; holds passwords.
listen: "${config.host ?? '127.0.0.1'}:${config.port}"
server_name: "bravo"
max_payload: 4MB
jetstream {
  store_dir: ${quoted(config.storeDirectory)}
${config.durable ? '  sync_interval: always\n' : ''}}
accounts {
  BRAVO {
    jetstream: enabled
    users: [
${config.users.map(renderUser).join('\n')}
    ]
  }
  SYS { users: [] }
}
system_account: SYS
`;
