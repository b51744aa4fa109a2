import { endOnSignals } from './membership/resources.ts'
import { bullmqRate } from './throughput/bullmq.ts'
import { ourRate } from './throughput/ours.ts'
import { piscinaRate } from './throughput/piscina.ts'
import { perSecond } from './throughput/rate.ts'

endOnSignals()
const [which = 'all', n = '200000'] = process.argv.slice(2)
if (which === 'all' || which === 'piscina') console.log('piscina 64', perSecond(await piscinaRate(200_000, 64)))
if (which === 'all' || which === 'bullmq') console.log('bullmq', perSecond(await bullmqRate(20_000)))
if (which === 'all' || which === 'ours') console.log('ours', perSecond(await ourRate(Number(n))))
