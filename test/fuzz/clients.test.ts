import { stands } from './stands.ts'

stands('clients.test.ts', ['attach', 'overview', 'submit', 'locks', 'schedules'])
