/**
 * The start of every bundle. The banner defines `require` for CommonJS dependencies; if the user's code also defines `require`, esbuild renames
 * that definition. Where a module reads `__filename` or `__dirname` without a definition, esbuild inserts the constants `__p2p_filename` and
 * `__p2p_dirname`, so that old packages at least load.
 */
export const BANNER = `import { createRequire as __p2p_createRequire } from 'node:module';
import { fileURLToPath as __p2p_fileURLToPath } from 'node:url';
const require = __p2p_createRequire(import.meta.url);
const __p2p_filename = __p2p_fileURLToPath(import.meta.url);
const __p2p_dirname = __p2p_fileURLToPath(new URL('.', import.meta.url));`
