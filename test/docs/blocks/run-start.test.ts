import { runBlocks } from './documents.ts'

runBlocks('start')
