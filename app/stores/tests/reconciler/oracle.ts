import { judgeDelays, judgeGrowth, judgeOverlaps, judgeReviews } from './judge_calls.js'
import { judgeEnd } from './judge_end.js'
import { judgeEnded, judgeFreezes } from './judge_ended.js'
import { judgeRestarts } from './judge_restarts.js'
import { judgeRenewals, judgeRepetitions } from './judge_retries.js'
import { judgeWords } from './judge_words.js'
import type { Finding } from './finding.js'
import type { Journal } from './journal.js'

/**
 * Judges all that happened, by the true states, the decisions and the announcements alone; the
 * earliest finding comes first.
 */
export function judge(journal: Journal): Finding[] {
  return [
    judgeEnd,
    judgeEnded,
    judgeFreezes,
    judgeRestarts,
    judgeGrowth,
    judgeRepetitions,
    judgeRenewals,
    judgeReviews,
    judgeOverlaps,
    judgeDelays,
    judgeWords,
  ]
    .flatMap((each) => each(journal))
    .sort((one, other) => one.order - other.order)
}
