import { runBlocks } from './documents.ts'

runBlocks('sources')
