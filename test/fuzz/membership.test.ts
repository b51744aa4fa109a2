import { stands } from './stands.ts'

stands('membership.test.ts', ['swim', 'members'])
