import { defineTask } from 'p2p-worker'

export default defineTask({ run: (x: number) => x + Math.random() })
