import { runBlocks } from './documents.ts'

runBlocks('documents')
