/** What the build refuses: floating promises, cycles, imports the table does not allow, long files, nouns without a verb. */
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';
import { directionRule, importRule } from './tools/lint/import-rule.mjs';
import { fileName, fileSize, noEnvironment } from './tools/lint/layout-rules.mjs';

const bravo = { rules: { 'import-rule': importRule, 'import-direction': directionRule, 'file-size': fileSize, 'file-size-warning': fileSize, 'file-name': fileName, 'no-environment': noEnvironment } };

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '.bravo/**', '.nx/**', 'coverage/**', 'tools/generators/**/files/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    plugins: { bravo, 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ conditionNames: ['source', 'types', 'import', 'node', 'default'] })] },
    rules: {
      'bravo/import-rule': 'error',
      'bravo/import-direction': 'error',
      'bravo/file-size': ['error', 400],
      'bravo/file-size-warning': ['warn', 300],
      'bravo/file-name': 'error',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
    },
  },
  { files: ['libs/**/*.ts', 'apps/**/*.ts'], ignores: ['libs/config/src/load-config.ts', 'libs/testing/**', '**/*.spec.ts', '**/*.contract.ts', '**/*.fixture.ts', '**/prisma.config.ts'], rules: { 'bravo/no-environment': 'error' } },
  { files: ['tools/**/*.ts', 'benchmarks/**/*.ts'], rules: { 'no-console': 'off' } },
);
