/**
 * The start of every bundle. It defines `require` for CommonJS dependencies; esbuild renames a `require` that the user defines. Where a module
 * reads `__filename` or `__dirname` without a definition, esbuild puts in the other two constants, so that old packages at least load.
 */
export const BANNER = `import { createRequire as __p2p_createRequire } from 'node:module';
import { fileURLToPath as __p2p_fileURLToPath } from 'node:url';
const require = __p2p_createRequire(import.meta.url);
const __p2p_filename = __p2p_fileURLToPath(import.meta.url);
const __p2p_dirname = __p2p_fileURLToPath(new URL('.', import.meta.url));`
