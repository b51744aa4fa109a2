import { runBlocks } from './documents.ts'

runBlocks('guides')
