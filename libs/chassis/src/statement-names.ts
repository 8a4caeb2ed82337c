/** Names for prepared statements, so that Postgres parses and plans a text once per connection. One name never stands for two texts. */

/** What a connection keeps prepared is memory of the server: texts beyond this (lists of every length) are parsed each time. */
const MOST = 500;

/** For the `statementNameGenerator` of Prisma's adapter. @returns the text's name, or the empty name (not kept) once there are enough. */
export const createStatementNames = (most = MOST): ((query: { readonly sql: string }) => string) => {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // The protocol's own word for "not kept".
    if (names.size >= most) return '';
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
};
