/** ESLint rules on files as such: their size, their names, and who may read the environment. */
import path from 'node:path';

const relative = (context) => path.relative(context.cwd, context.filename).split(path.sep).join('/');

/** A file past the limit is missing a name. Used twice: 300 warns, 400 fails. */
export const fileSize = {
  meta: { type: 'suggestion', schema: [{ type: 'integer' }] },
  create: (context) => ({
    Program(node) {
      const lines = context.sourceCode.lines.length;
      const [limit] = context.options;
      if (lines > limit) context.report({ node, message: `${lines} lines: past ${limit}, a name is missing. Split it by what its parts guarantee.` });
    },
  }),
};

const BANNED = /(^|\/)(utils?|helpers?|common|services?)(\.ts|\/)|\.service\.ts$/;

export const fileName = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Program(node) {
      // The contracts keep the package name `common` of the protos.
      if (BANNED.test(relative(context)) && !relative(context).startsWith('libs/proto/')) context.report({ node, message: 'Name it by what it does: no utils, helpers, common, services or *.service.ts.' });
    },
  }),
};

/** The environment is read once, by the loader, so that the generated reference is complete. */
export const noEnvironment = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    MemberExpression(node) {
      if (node.object.type === 'Identifier' && node.object.name === 'process' && node.property.type === 'Identifier' && node.property.name === 'env') {
        context.report({ node, message: 'Only libs/config/src/load-config.ts reads the environment; declare a setting there.' });
      }
    },
  }),
};
