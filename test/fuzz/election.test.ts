import { stands } from './stands.ts'

stands('election.test.ts', ['election', 'leader', 'history'])
