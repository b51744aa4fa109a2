import { defineTask } from 'p2p-worker'

export default defineTask({ run: (line: string) => line.replaceAll('7', 'seven') })
