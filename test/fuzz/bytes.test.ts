import { stands } from './stands.ts'

stands('bytes.test.ts', ['frames', 'payload', 'reports'])
