import { stands } from './stands.ts'

stands('jobs.test.ts', ['work', 'journal'])
