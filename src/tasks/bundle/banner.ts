/**
 * What every bundle begins with: `require` for CommonJS dependencies; esbuild renames a `require` of the user's own. The two others are put in
 * where they are free, so that old packages which look at them at least load.
 */
export const BANNER = `import { createRequire as __p2p_createRequire } from 'node:module';
import { fileURLToPath as __p2p_fileURLToPath } from 'node:url';
const require = __p2p_createRequire(import.meta.url);
const __p2p_filename = __p2p_fileURLToPath(import.meta.url);
const __p2p_dirname = __p2p_fileURLToPath(new URL('.', import.meta.url));`
