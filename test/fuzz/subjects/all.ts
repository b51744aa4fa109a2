import type { Subject } from '../subject.ts'
import { attach, history, overview } from './asking.ts'
import { election, leader } from './election.ts'
import { journal, submit, work } from './jobs.ts'
import { members, swim } from './swim.ts'

/** Whatever a peer or a client registers has to be here: test/fuzz/coverage.test.ts looks. */
export const SUBJECTS: readonly Subject[] = [
  swim,
  members,
  election,
  leader,
  history,
  attach,
  work,
  submit,
  overview,
  journal
]
