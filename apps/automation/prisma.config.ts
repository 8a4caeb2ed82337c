/** Where Prisma's command line finds the schema and migrations of automation; the URL always comes from the environment. */
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['BRAVO_DATABASE_URL'] ?? '' },
});
